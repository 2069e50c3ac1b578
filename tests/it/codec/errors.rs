//! What the decoder says of errors, and of what was decoded before them.

use daisho::codec::{self, Decoder, Reserved, Status, decode_into};

/// The messages of both readings are there where neither is sound.
#[test]
fn a_stream_bad_both_ways_reports_both_readings() {
    let error = Reserved::judge(b"\x40\xFE\x70\xFF", 99).unwrap_err();
    assert_eq!(
        error.to_string(),
        "with the control byte 0xFE skipped as the game does: end marker at stream byte 3 after 52 bytes of output, \
         expected 99; with it as a 64-byte copy: copy at stream byte 1 reaches 114 bytes back, \
         but only 2 have been written"
    );
    let error = Reserved::judge(b"\x40\xFF", 99).unwrap_err();
    assert_eq!(error.to_string(), error.skipped.to_string());
}

/// Nothing is set aside for what a size merely claims.
#[test]
fn the_largest_size_allocates_nothing() {
    let mut decoder = Decoder::new(Some(u64::MAX), Reserved::Skip);
    let mut output = [0; 100];
    let progress = decoder.decode(b"\x7F", &mut output);
    assert_eq!((progress.produced, progress.status), (65, Ok(Status::NeedInput)));
    assert!(decoder.finish(0).is_err());
    assert!(codec::Walk::of(b"\x7F\xFF", Some(u64::MAX), Reserved::Skip).is_err());
    assert!(Reserved::judge(b"\xFE\xFE\xFF", u64::MAX).is_err());
}

#[test]
fn the_end_is_unknown_while_a_token_waits_for_room() {
    let mut decoder = Decoder::new(None, Reserved::Skip);
    let progress = decoder.decode(b"\x00a\x7F\xFF", &mut [0; 5]);
    assert_eq!((progress.produced, progress.status), (5, Ok(Status::NeedOutput)));
    let error = decoder.finish(0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "token at stream byte 2 has 61 bytes still to write, \
         give room for them before the end is judged"
    );
}

/// After an error, what was decoded before the token at fault is there; the rest of the buffer
/// may hold anything.
#[test]
fn bytes_before_the_damage_are_delivered() {
    let mut output = [0xEE; 20];
    let error = decode_into(b"\x03abcd\xC0\x40\xFF", &mut output, Reserved::Skip).unwrap_err();
    assert_eq!((error.input(), error.output()), (5, 4));
    assert_eq!(&output[..4], b"abcd");
}
