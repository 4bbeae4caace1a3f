package stores

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// answer returns the error of an answer by its status. reason is the store's own word for it, and
// advice what gives access.
func answer(status int, reason, advice string, err error) error {
	text := fmt.Sprintf("%d %s", status, http.StatusText(status))
	if reason != "" {
		text = fmt.Sprintf("%d %s", status, reason)
	}
	e := &data.StoreError{Err: err, Msg: "the store answers " + oneLine(text)}
	switch {
	case status == http.StatusNotFound || status == http.StatusGone:
		e.Msg, e.Err = "no such file", fs.ErrNotExist
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.Msg = fmt.Sprintf("access is denied (%s): %s", oneLine(text), advice)
		e.Err = fs.ErrPermission
	case status == http.StatusPreconditionFailed:
		return errChanged
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		e.Temporary = true
	}
	return e
}

// unreachable returns the error of a request that got no answer. The URL, which may hold what gives
// access, is left out.
func unreachable(err error) error {
	cause := err
	if u := (*url.Error)(nil); errors.As(err, &u) {
		cause = u.Err
	}
	text := oneLine(cause.Error())
	if strings.Contains(text, "Connection closed by foreign host") { // as minio-go describes EOF
		text = "it closed the connection"
	}
	return &data.StoreError{Temporary: true, Err: cause, Msg: "the store cannot be reached: " + text}
}

// oneLine shortens what a server wrote.
func oneLine(text string) string {
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "?")
	const limit = 200
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "..."
	}
	return text
}
