mod encode;
mod oracle;
