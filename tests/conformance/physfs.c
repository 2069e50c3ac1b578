/* Prints each file that PhysicsFS finds in an archive as tests/conformance/run asks for: a row of name and
 * content, in hexadecimal digits. */
#include <physfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed = 0;

static void print_hex(const unsigned char *bytes, size_t len)
{
    size_t at;
    for (at = 0; at < len; at++)
        printf("%02x", bytes[at]);
}

static void print_file(const char *name)
{
    PHYSFS_File *file = PHYSFS_openRead(name);
    PHYSFS_sint64 len = file ? PHYSFS_fileLength(file) : -1;
    unsigned char *content = len >= 0 && len < 1 << 24 ? malloc((size_t)len + 1) : NULL;

    print_hex((const unsigned char *)name, strlen(name));
    if (content && PHYSFS_readBytes(file, content, (PHYSFS_uint64)len) == len) {
        printf(" ");
        print_hex(content, (size_t)len);
        printf("\n");
    } else {
        printf(" !\n");
        failed = 1;
    }
    free(content);
    if (file)
        PHYSFS_close(file);
}

static void print_folder(const char *folder)
{
    char **names = PHYSFS_enumerateFiles(folder);
    char **name;
    PHYSFS_Stat stat;

    for (name = names; name && *name; name++) {
        char path[4096];
        snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", *name);
        if (PHYSFS_stat(path, &stat) && stat.filetype == PHYSFS_FILETYPE_DIRECTORY)
            print_folder(path);
        else
            print_file(path);
    }
    PHYSFS_freeList(names);
}

int main(int argc, char **argv)
{
    if (argc != 2 || !PHYSFS_init(argv[0]))
        return 2;
    PHYSFS_permitSymbolicLinks(1);
    if (!PHYSFS_mount(argv[1], NULL, 0)) {
        fprintf(stderr, "%s\n", PHYSFS_getErrorByCode(PHYSFS_getLastErrorCode()));
        return 1;
    }
    print_folder("");
    PHYSFS_deinit();
    return failed;
}
