//! Paks written anew, in the layout that is wanted.
