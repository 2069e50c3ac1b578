mod encode;
pub(crate) mod oracle;
