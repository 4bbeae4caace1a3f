package stores

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coppice-ml/coppice/data"
)

// errChanged is the error of a file that is another one than the one that was found first.
var errChanged = &data.StoreError{Msg: "the file changed while it was read",
	Err: errors.New("stores: the file changed")}

// errRange is the error of an answer that has other bytes than were requested.
var errRange = &data.StoreError{Msg: "the server sends other bytes of the file than were requested",
	Err: errors.New("stores: another range")}

// version is what an answer reports of the version of a file.
type version struct {
	tag      string // "" = unknown
	modified int64  // seconds since 1970; 0 = unknown
	size     int64  // of the whole file; -1 = unknown
}

// newVersion makes a version of the parts of an answer. Weak tags are compared as others are, and
// some services leave out the quotes. Times have seconds: answers do not have the rest.
func newVersion(tag string, modified time.Time, size int64) version {
	v := version{tag: strings.Trim(strings.TrimPrefix(tag, "W/"), `"`), size: size}
	if !modified.IsZero() {
		v.modified = modified.Unix()
	}
	return v
}

// versionOf returns that of an answer, whose file has a size, -1 = unknown.
func versionOf(h http.Header, size int64) version {
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		modified = time.Time{}
	}
	return newVersion(h.Get("ETag"), modified, size)
}

// versions are what the first answers reported of each file, so that no rows of two versions are
// ever mixed: servers need not know If-Match, and others than the one that was found may answer.
type versions struct {
	mutex sync.Mutex
	first map[string]version // by URL
}

// check returns errChanged if an answer is about another version of a file than the first ones
// were, by what both report.
func (v *versions) check(url string, now version) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	first, known := v.first[url]
	if !known {
		first = version{size: -1}
	}
	switch {
	case first.tag != "" && now.tag != "" && first.tag != now.tag,
		first.modified != 0 && now.modified != 0 && first.modified != now.modified,
		first.size >= 0 && now.size >= 0 && first.size != now.size:
		return errChanged
	}
	if first.tag == "" {
		first.tag = now.tag
	}
	if first.modified == 0 {
		first.modified = now.modified
	}
	if first.size < 0 {
		first.size = now.size
	}
	if v.first == nil {
		v.first = map[string]version{}
	}
	v.first[url] = first
	return nil
}

// rangeOf reads the Content-Range of an answer to a request for the bytes from a place on. It
// returns the size of the whole file, -1 = unknown. Other bytes are errRange.
func rangeOf(header string, at int64) (size int64, err error) {
	var from, to int64
	size = -1
	bytes, whole, ok := strings.Cut(strings.TrimSpace(header), "/")
	if !ok {
		return -1, errRange
	}
	if _, err := fmt.Sscanf(bytes, "bytes %d-%d", &from, &to); err != nil || from != at ||
		to < from {
		return -1, errRange
	}
	if whole != "*" {
		if _, err := fmt.Sscanf(whole, "%d", &size); err != nil || size <= to {
			return -1, errRange
		}
	}
	return size, nil
}
