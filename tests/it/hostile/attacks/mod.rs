//! The attack table: each row of `tests/ATTACKS.md` is a test here.
