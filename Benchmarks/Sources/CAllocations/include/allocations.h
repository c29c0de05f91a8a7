#pragma once

/// How many blocks of memory this process has asked for.
unsigned long allocation_count(void);
