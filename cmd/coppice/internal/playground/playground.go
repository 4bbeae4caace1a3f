// Package playground owns what the playground computes: requests as JSON, answers as JSON, and
// nothing of the page that shows them. A server in the process (package site) and a program for
// browsers (wasm) both call Handler.Answer, so a page is the same with either.
//
//	request  {"points": [...], "method": "adaboost", "settings": {"depth": 1}, "shown": 10}
//	   |
//	   +--> decoded strictly, checked against limits --> a learner is trained
//	   |
//	answer   scores on a grid, members, weights, margins, errors by round
//
// Requests come from anywhere, so the work of each is bounded: MaxBody bytes, maxPoints points, the
// ranges of the settings. The package reads no files, and imports no readers of any.
package playground

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// MaxBody is the number of bytes that a request has at most.
const MaxBody = 1 << 18

const (
	maxPoints = 1000 // of a request, training and test
	maxLine   = 200  // of a request for impurities, whose work grows with its square
)

// RequestError is the error of a request that cannot be answered: its text is for people.
type RequestError struct{ Text string }

func (e *RequestError) Error() string { return e.Text }

func refuse(format string, args ...any) error {
	return &RequestError{fmt.Sprintf(format, args...)}
}

// Handler answers requests. It keeps the last models, so that a request which only shows another
// round of one is answered without training. It is safe for concurrent use.
type Handler struct{ kept cache }

// New makes a handler without models.
func New() *Handler { return &Handler{} }

// scene is one thing that a page requests.
type scene struct {
	name   string
	answer func(ctx context.Context, h *Handler, body []byte) (any, error)
}

// scenes is the table of what can be requested.
func scenes() []scene {
	return []scene{
		{"choices", answers(choicesOf)},
		{"sample", answers(sampleOf)},
		{"plane", answers(planeOf)},
		{"curve", answers(curveOf)},
		{"impurity", answers(impurityOf)},
		{"ten-points", answers(tenPointsOf)},
		{"bias", answers(biasOf)},
	}
}

// Answer answers the request for a scene. A request that cannot be answered is a *RequestError;
// other errors are those of the context, and of the library.
func (h *Handler) Answer(ctx context.Context, name string, body []byte) ([]byte, error) {
	for _, s := range scenes() {
		if s.name == name {
			if len(body) > MaxBody {
				return nil, refuse("the request has %d bytes, of %d", len(body), MaxBody)
			}
			answer, err := s.answer(ctx, h, body)
			if err != nil {
				return nil, err
			}
			return json.Marshal(answer)
		}
	}
	return nil, refuse("there is no scene %q", name)
}

// Failure returns the JSON object that a page gets in place of an answer.
func Failure(err error) []byte {
	text, _ := json.Marshal(map[string]string{"error": err.Error()}) // a map of texts always encodes
	return text
}

// answers makes the function of a scene of one that takes a decoded request.
func answers[Q, A any](
	of func(ctx context.Context, h *Handler, q *Q) (A, error),
) func(context.Context, *Handler, []byte) (any, error) {
	return func(ctx context.Context, h *Handler, body []byte) (any, error) {
		var q Q
		d := json.NewDecoder(bytes.NewReader(body))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			return nil, refuse("the request is no JSON of this scene: %v", err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, refuse("the request goes on after its JSON")
		}
		return of(ctx, h, &q)
	}
}

// rounded rounds numbers to 1/10000 in place, so that answers are short.
func rounded(values []float64) []float64 {
	for i, v := range values {
		values[i] = math.Round(v*1e4) / 1e4
	}
	return values
}
