/*
 * What Embedded Swift asks of a board, on WebAssembly: memory, random numbers that are none, and a
 * standard output by WASI, https://github.com/WebAssembly/WASI.
 */
#include <stddef.h>
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(name)))
#define PAGE 65536

struct piece {
	const void *bytes;
	size_t count;
};

IMPORT("fd_write")
int fd_write(int descriptor, const struct piece *, size_t pieces, size_t *written);
IMPORT("proc_exit") _Noreturn void proc_exit(int status);

extern unsigned char __heap_base;
void tell_story(void);

static char line[4096];
static size_t length;

static void flush(void)
{
	struct piece piece = { line, length };
	size_t written;

	if (length && (fd_write(1, &piece, 1, &written) || written != length))
		proc_exit(1);
	length = 0;
}

int putchar(int c)
{
	line[length++] = (char)c;
	if (c == '\n' || length == sizeof line)
		flush();
	return c;
}

/* Memory is not taken back: a story is short. */
int posix_memalign(void **memory, size_t alignment, size_t size)
{
	static uintptr_t next;
	uintptr_t end;

	if (!next)
		next = (uintptr_t)&__heap_base;
	next = (next + alignment - 1) & ~(uintptr_t)(alignment - 1);
	end = __builtin_wasm_memory_size(0) * PAGE;
	if (next + size > end &&
	    __builtin_wasm_memory_grow(0, (next + size - end) / PAGE + 16) == (size_t)-1)
		return 12;
	*memory = (void *)next;
	next += size;
	return 0;
}

void *malloc(size_t size)
{
	void *memory;

	return posix_memalign(&memory, 16, size) ? NULL : memory;
}

void free(void *memory)
{
	(void)memory;
}

/* Part of a compiler's own library elsewhere: a product of numbers of 128 bits. */
__int128 __multi3(__int128 a, __int128 b)
{
	uint64_t x = a, y = b;
	uint64_t low = (x & UINT32_MAX) * (y & UINT32_MAX);
	uint64_t one = (x >> 32) * (y & UINT32_MAX) + (low >> 32);
	uint64_t other = (x & UINT32_MAX) * (y >> 32) + (one & UINT32_MAX);
	uint64_t high = (x >> 32) * (y >> 32) + (one >> 32) + (other >> 32);

	high += x * (uint64_t)(b >> 64) + y * (uint64_t)(a >> 64);
	return (__int128)high << 64 | (other << 32 | (low & UINT32_MAX));
}

uintptr_t __stack_chk_guard = 0x5ca1ab1e;

_Noreturn void __stack_chk_fail(void)
{
	__builtin_trap();
}

/* A set has the same order in each run, which no test may depend on all the same. */
void arc4random_buf(void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		((char *)bytes)[i] = (char)i;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memmove(void *to, const void *from, size_t count)
{
	if (to < from)
		return memcpy(to, from, count);
	while (count--)
		((char *)to)[count] = ((const char *)from)[count];
	return to;
}

void *memset(void *to, int c, size_t count)
{
	for (size_t i = 0; i < count; i++)
		((char *)to)[i] = (char)c;
	return to;
}

int memcmp(const void *a, const void *b, size_t count)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < count; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

void _start(void)
{
	tell_story();
	flush();
}
