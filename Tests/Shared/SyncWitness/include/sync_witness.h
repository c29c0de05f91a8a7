// Sees which files this thread makes durable, and which ones it renames, and in which order.
//
// It stands between the program and the system's calls: what is here has their names.
#ifndef SYNC_WITNESS_H
#define SYNC_WITNESS_H

// Begins to write down what this thread does.
void sync_witness_begin(void);
// Ends that. Returns what was done, a line each, to be freed: "sync PATH", "rename PATH<tab>PATH".
char *sync_witness_end(void);

#endif
