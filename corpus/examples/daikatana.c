/* Decodes one compressed entry of a Daikatana pak. Plain C89; copy it into your engine.
 *
 * Usage: daikatana SIZE skip|copy < stream > content
 * README.md beside this file describes the format. Same licence as daisho. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How to read the control byte 0xFE. The game skips it; one packer writes it for a copy of 64 bytes. */
enum reserved { RESERVED_SKIP, RESERVED_COPY };

/* Decodes `in_len` bytes into exactly `out_len` bytes. Returns 1, or 0 if the stream is damaged.
 * It never reads or writes outside of the two buffers. */
int daikatana_decode(const unsigned char *in, size_t in_len, unsigned char *out, size_t out_len,
                     enum reserved reserved)
{
    size_t from = 0, to = 0;

    while (from < in_len) {
        unsigned c = in[from++];
        size_t length, distance;

        if (c == 0xFF)                                   /* the end */
            break;
        if (c == 0xFE && reserved == RESERVED_SKIP)
            continue;
        if (c < 0x40) {                                  /* literal: 1 to 64 bytes follow */
            length = c + 1;
            if (length > in_len - from || length > out_len - to)
                return 0;
            memcpy(out + to, in + from, length);
            from += length;
        } else if (c < 0x80) {                           /* zero run: 2 to 65 zeros */
            length = c - 62;
            if (length > out_len - to)
                return 0;
            memset(out + to, 0, length);
        } else if (c < 0xC0) {                           /* byte run: 2 to 65 times the next byte */
            length = c - 126;
            if (from == in_len || length > out_len - to)
                return 0;
            memset(out + to, in[from++], length);
        } else {                                         /* copy: 2 to 63 bytes from 2 to 257 back */
            size_t i;
            length = c - 190;
            if (from == in_len || length > out_len - to)
                return 0;
            distance = (size_t)in[from++] + 2;
            if (distance > to)
                return 0;
            for (i = 0; i < length; i++)                 /* byte by byte: the two may overlap */
                out[to + i] = out[to + i - distance];
        }
        to += length;
    }
    return to == out_len;                                /* a missing end marker is no damage */
}

int main(int argc, char **argv)
{
    size_t size, length = 0, room = 1 << 16, got;
    unsigned char *in = malloc(room), *out;
    enum reserved reserved;

    if (argc != 3 || !in)
        return 2;
    size = (size_t)strtoul(argv[1], NULL, 10);
    reserved = strcmp(argv[2], "copy") ? RESERVED_SKIP : RESERVED_COPY;
    while ((got = fread(in + length, 1, room - length, stdin)) > 0) {
        length += got;
        if (length == room && !(in = realloc(in, room *= 2)))
            return 2;
    }
    if (size / 65 > length || !(out = malloc(size + 1))) /* no byte of a stream writes more than 65 */
        return 1;
    if (!daikatana_decode(in, length, out, size, reserved))
        return 1;
    return fwrite(out, 1, size, stdout) == size ? 0 : 2;
}
