// Package outside owns the calls to what may fail at any time: files, servers and the clock. Each
// is a call of the standard library, which a test may make fail.
package outside

import (
	"sync/atomic"
	"time"
)

// Kind is what a call does.
type Kind uint8

// The kinds of calls.
const (
	Open    Kind = iota // opens a file that exists
	Create              // makes a file, or opens one for writing
	Read                // reads a file
	Write               // writes to a file
	Sync                // makes a file outlast a failure of power
	Close               // closes a file
	Stat                // finds out about a file or folder
	Chmod               // changes the permissions of a file
	List                // lists a folder
	Folder              // makes a folder
	Rename              // renames a file
	Link                // gives a file a second name
	Remove              // removes a file
	Map                 // maps a file into memory
	Request             // sends a request to a server
	Receive             // reads an answer of a server
	Clock               // reads the clock
	Wait                // begins to wait
	Kinds               // the number of kinds
)

var kinds = [Kinds]string{"open", "create", "read", "write", "sync", "close", "stat", "chmod", "list",
	"mkdir", "rename", "link", "remove", "mmap", "request", "receive", "clock", "wait"}

func (k Kind) String() string { return kinds[k] }

// Call is a call that is about to be made.
type Call struct {
	Kind Kind
	Name string        // of the file or folder; host and path of a server; "" for the clock
	Size int           // bytes of a Read, Write or Receive
	Wait time.Duration // of a Wait
}

// Fault is what becomes of a call. The zero value leaves it as it is.
type Fault struct {
	// Err is the error that the call returns. A Close with an error has closed the file.
	Err error
	// Bytes are moved by a Read, Write or Receive before Err. Without Err they are the most that
	// one Read or Receive returns, and 0 is no limit.
	Bytes int
	// Done reports that the call is made although it returns Err; one without Err is not made.
	Done bool
	// Skip reports that a Sync is not made and returns no error.
	Skip bool
	// Stall reports that a Request or Receive waits until its context ends.
	Stall bool
	// Time is what the clock shows; zero: the time.
	Time time.Time
	// Shift is added to a time to wait.
	Shift time.Duration
}

// judge decides on calls; nil: nothing does.
var judge atomic.Pointer[func(Call) Fault]

// Judge lets a function decide on each call of the process until end is called. Calls of several
// goroutines come at the same time. It is for tests, and one at a time.
func Judge(f func(Call) Fault) (end func()) {
	if !judge.CompareAndSwap(nil, &f) {
		panic("outside: calls are judged already")
	}
	return func() { judge.Store(nil) }
}

// Judged reports whether calls are judged.
func Judged() bool { return judge.Load() != nil }

// Ask returns what becomes of a call, for callers that make it themselves.
func Ask(c Call) Fault {
	if f := judge.Load(); f != nil {
		return (*f)(c)
	}
	return Fault{}
}

func ask(k Kind, name string) Fault { return Ask(Call{Kind: k, Name: name}) }
