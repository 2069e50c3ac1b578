//! Two paks compared by their contents.
