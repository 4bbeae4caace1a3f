package serve

import (
	"errors"
	"fmt"
	"net/http"
)

// problem is an error as RFC 9457 has it.
type problem struct {
	Type   string   `json:"type"`
	Title  string   `json:"title"`
	Status int      `json:"status"`
	Detail string   `json:"detail,omitempty"`
	Errors []*fault `json:"errors,omitempty"` // the first ones, with rows and columns
	More   int      `json:"more,omitempty"`   // errors behind these
}

func (p *problem) Error() string {
	if p.Detail == "" {
		return p.Title
	}
	return p.Detail
}

// The kinds of problems, by the last word of their type.
const (
	kindRequest  = "request"  // the body is not what its type says
	kindValue    = "value"    // a value that the model cannot predict
	kindModel    = "model"    // no such model or version
	kindSize     = "size"     // beyond a limit of the server
	kindBusy     = "busy"     // too many requests at once
	kindTime     = "time"     // the time for the request is over
	kindMedia    = "media"    // a type of content that is not read or written
	kindMethod   = "method"   // another method
	kindAddress  = "address"  // nothing is there
	kindToken    = "token"    // no token that the server accepts
	kindInternal = "internal" // a fault of the server
)

// newProblem makes a problem of a kind.
func newProblem(status int, kind, detail string) *problem {
	return &problem{Type: "urn:coppice:problem:" + kind, Title: http.StatusText(status),
		Status: status, Detail: detail}
}

// problemOf returns the problem that an error is.
func problemOf(err error) *problem {
	var p *problem
	faults, wrong := asFaults(err)
	var syntax *syntaxError
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case wrong:
		p = newProblem(http.StatusUnprocessableEntity, kindValue, faults.Error())
		p.Errors, p.More = faults.first, faults.more
		return p
	case errors.As(err, &syntax):
		return newProblem(http.StatusBadRequest, kindRequest, err.Error())
	case errors.As(err, &large):
		return newProblem(http.StatusRequestEntityTooLarge, kindSize,
			fmt.Sprintf("the body is larger than %d bytes, the limit of the server: send fewer rows at a time", large.Limit))
	}
	return newProblem(http.StatusInternalServerError, kindInternal, err.Error())
}

// writeProblem answers with a problem.
func writeProblem(w http.ResponseWriter, p *problem) {
	writeBody(w, "application/problem+json", p.Status, p)
}
