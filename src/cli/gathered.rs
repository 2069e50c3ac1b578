//! Many messages of one kind, as one.
//!
//! A pak of another packer has something to say of each of its streams, and a collection has many such paks.
//! So findings are gathered while a run goes on, and each kind of them is one message with their number,
//! the first of them, and what to do:
//!
//! ```text
//! warning: 2036 streams go on behind their end marker; what follows is ignored, as in the game
//!   --> pak0.pak: entry 3 "maps/e1m1.bsp", byte 12, and 2035 more, in 3 archives in all (-v names each)
//! ```
//!
//! A few of a kind stay messages of their own.

use std::path::Path;
use std::sync::Arc;

use daisho::ops::finding::{Finding, Notice, Severity};

use super::message::Message;
use super::notices::{help_for_many, sentence_for_many};

/// How many of a kind are still reported one by one; and how many places are shown of more errors.
const FEW: usize = 3;

/// Problems that wait to be reported.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    groups: Vec<Group>,
}

/// Findings of one notice that become one message.
#[derive(Debug)]
struct Group {
    notice: Notice,
    severity: Severity,
    /// What each says, if the notice has no sentence for many.
    detail: Option<String>,
    count: usize,
    /// In how many archives their entries are, and the last of these.
    archives: usize,
    last: Option<Arc<Path>>,
    /// The first few.
    first: Vec<Message>,
}

impl Gathered {
    /// Adds a finding. It is kept whole only if it is one of the first of its group.
    pub(super) fn add(&mut self, finding: &Finding, severity: Severity) {
        let (notice, place) = (finding.notice, &finding.place);
        let detail = match sentence_for_many(notice) {
            Some(_) => None,
            None => Some(&finding.detail),
        };
        let is_alike = |group: &&mut Group| {
            (group.notice, group.severity) == (notice, severity) && group.detail.as_ref() == detail
        };
        // Findings without a place stay messages of their own: nothing would tell one from another.
        if place.path.is_some()
            && let Some(group) = self.groups.iter_mut().find(is_alike)
        {
            group.count += 1;
            if place.entry.is_some() && group.last != place.path {
                group.archives += 1;
                group.last.clone_from(&place.path);
            }
            if group.first.len() < FEW {
                group.first.push(Message::from(finding));
            }
            return;
        }
        self.groups.push(Group {
            notice,
            severity,
            detail: detail.cloned(),
            count: 1,
            archives: 1,
            last: place.path.clone(),
            first: vec![Message::from(finding)],
        });
    }

    /// The messages, those that are about one thing each in the order in which that was first found.
    pub(super) fn take(&mut self) -> Vec<Message> {
        let groups = core::mem::take(&mut self.groups).into_iter();
        groups.flat_map(Group::messages).collect()
    }
}

impl Group {
    fn messages(self) -> Vec<Message> {
        let severity = self.severity;
        if self.count <= FEW {
            let each = self.first.into_iter();
            return each.map(|message| message.with(severity)).collect();
        }
        let shown = match severity {
            Severity::Error => FEW,
            Severity::Warning => 1,
        };
        let more = self.count - shown.min(self.count);
        let mut places: Vec<String> = self.first.iter().flat_map(Message::places).collect();
        places.truncate(shown);
        let within = match self.archives {
            1 => String::new(),
            archives => format!(", in {archives} archives in all"),
        };
        if let Some(last) = places.last_mut() {
            last.push_str(&format!(", and {more} more{within} (-v names each)"));
        }
        let what = match (
            sentence_for_many(self.notice),
            self.first.into_iter().next(),
        ) {
            (Some(many), _) => format!("{} {many}", self.count),
            (None, Some(first)) => first.what().to_owned(),
            (None, None) => return Vec::new(),
        };
        let mut message = Message::error(what).with(severity);
        for place in places {
            message = message.place(place);
        }
        vec![match help_for_many(self.notice) {
            Some(help) => message.help(help),
            None => message,
        }]
    }
}
