/* The baseline for a program that prints something it has stored: opens a file, reads it and writes it to standard output. */
#include <fcntl.h>
#include <unistd.h>

int main(int count, char **arguments) {
    char buffer[4096];
    if (count != 2) return 2;
    int file = open(arguments[1], O_RDONLY | O_CLOEXEC);
    if (file < 0) return 1;
    ssize_t length = read(file, buffer, sizeof buffer);
    if (length < 0 || write(STDOUT_FILENO, buffer, (size_t)length) != length) return 1;
    return 0;
}
