package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/param"
)

// Options are the choices of Handler. The zero value has the limits that it names.
type Options struct {
	// MaxBody is the most bytes of a request's body, and of a row of JSON lines: 0 = 32 MiB. Bodies
	// and answers together take 16 times as much, and a quarter of what memory.Default allows.
	MaxBody int64
	// MaxRows is the most rows of a request that is answered as a whole: 0 = 100,000. JSON lines
	// have no limit.
	MaxRows int
	// Concurrent is the most requests that are predicted at a time: 0 = 64 for each processor. More
	// get status 429, with Retry-After. A request counts from the end of its body to the begin of
	// its answer, so slow clients keep nobody out. Streams of JSON lines count while rows of theirs
	// are predicted, and four times as many may be open.
	Concurrent int
	// Timeout is the longest time until a request is answered, 0 = 30 s: it ends with status 503,
	// and 408 if its body does not come. The answer has to be taken in as much time again. Each row
	// of JSON lines has its own time. A server whose writers http.ResponseController cannot control
	// needs its own deadlines.
	Timeout time.Duration
	// Absent is what a column means that a row does not name: "" refuses the row, unless the
	// model's tables may leave out values (data.Schema.AbsentValues); "missing" and "zero" are the
	// others. A request may choose its own by ?absent=.
	Absent string
	// Strict refuses fields that are no columns of the model, which are ignored else. A request may
	// choose by ?unknown=refuse or ?unknown=ignore.
	Strict bool
	// CSVHeader is false where text/csv of /invocations begins with a row and not with the names of
	// the columns, unless the type of its content says so by header=present or header=absent.
	CSVHeader bool
	// Tables are further types of content that the row API reads and answers.
	Tables []TableFormat
	// Repository lets requests load and unload the models of a source, by the extension
	// model_repository of the Open Inference Protocol; nil = none do.
	Repository *Source
	// Ready reports whether requests for readiness succeed where a model is loaded, as a server
	// that will end soon wants them not to; nil = always.
	Ready func() bool
	// Observe gets each request that predicts, behind its answer, from several goroutines at a
	// time, as package serve/prometheus does; nil = nobody wants it.
	Observe func(*Observation)
	// EachRow gets each row that was predicted, from several goroutines at a time, as PredictionLog
	// does; nil = nobody wants it.
	EachRow func(*PredictedRow)
	// ID is the field of a row that is given back with its prediction, and logged with it: "" =
	// none. A request may choose its own by ?id=.
	ID string
	// Tokens are those that requests need, but for health; nil = none.
	Tokens *Tokens
}

// withDefaults returns options without zeros.
func (o Options) withDefaults() Options {
	if o.MaxBody == 0 {
		o.MaxBody = 32 << 20
	}
	if o.MaxRows == 0 {
		o.MaxRows = 100_000
	}
	if o.Concurrent == 0 {
		o.Concurrent = 64 * parallel.Workers(0)
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	return o
}

// handler answers requests for a set of models.
type handler struct {
	Options
	models   *Models
	mux      *http.ServeMux
	answers  []string      // types of content of the row API, but for lines
	busy     chan struct{} // has a place for each request that is being predicted
	streams  chan struct{} // has a place for each stream of JSON lines
	held     atomic.Int64  // bytes of bodies and answers
	mostHeld int64
}

// Handler answers the requests that the package lists, for the models of a set. Models may come and
// go meanwhile. It never closes anything, and has no state but the limits of options.
func Handler(models *Models, o Options) http.Handler {
	h := newHandler(models, o)
	routes := h.routes()
	if h.Repository != nil {
		routes = append(routes, h.repositoryRoutes()...)
	}
	for _, r := range routes {
		h.mux.HandleFunc(r.pattern, r.answer)
	}
	return h
}

// heldBodies is how many of the largest bodies are in memory at a time, with answers.
const heldBodies = 16

// openStreams is how many streams of JSON lines may be open for each request that is predicted.
const openStreams = 4

// newHandler makes a handler without addresses.
func newHandler(models *Models, o Options) *handler {
	h := &handler{Options: o.withDefaults(), models: models, mux: http.NewServeMux()}
	h.busy, h.streams = make(chan struct{}, h.Concurrent), make(chan struct{}, openStreams*h.Concurrent)
	h.answers = append([]string{typeJSON}, h.types()[2:]...)
	h.mostHeld = max(h.MaxBody, min(heldBodies*h.MaxBody, memory.Default().Bytes()/4))
	return h
}

// route is an address with what answers there.
type route struct {
	pattern string
	answer  http.HandlerFunc
}

// routes lists all addresses. Requests that predict take a place among those that are busy.
func (h *handler) routes() []route {
	infer := h.limited(writeErrorText, h.infer, typeJSON, typeBinary)
	return []route{
		{"POST /v1/models/{name}/predict", h.limited(writeProblem, h.predictRows, h.types()...)},
		{"GET /v1/models", plain(writeProblem, h.list)},
		{"GET /v1/models/{name}", plain(writeProblem, h.state)},
		{"GET /v1/models/{name}/schema", plain(writeProblem, h.rowSchema)},
		{"POST /v1/models/{call}", h.limited(writeErrorText, h.instances, typeJSON)},
		{"GET /v2", plain(writeErrorText, h.server)},
		{"GET /v2/health/live", anyType(writeErrorText, h.live)},
		{"GET /v2/health/ready", anyType(writeErrorText, h.ready)},
		{"GET /v2/models/{name}", plain(writeErrorText, h.metadata)},
		{"GET /v2/models/{name}/ready", anyType(writeErrorText, h.modelReady)},
		{"POST /v2/models/{name}/infer", infer},
		{"GET /v2/models/{name}/versions/{version}", plain(writeErrorText, h.metadata)},
		{"GET /v2/models/{name}/versions/{version}/ready", anyType(writeErrorText, h.modelReady)},
		{"POST /v2/models/{name}/versions/{version}/infer", infer},
		{"POST /invocations", h.limited(writeProblem, h.invocations, typeJSON, typeCSV)},
		{"GET /ping", anyType(writeProblem, h.ready)},
		{"GET /livez", anyType(writeProblem, h.live)},
		{"GET /readyz", anyType(writeProblem, h.ready)},
		{"GET /startupz", anyType(writeProblem, h.ready)},
		{"GET /openapi.json", plain(writeProblem, h.openAPI)},
	}
}

// anyType answers by f, whatever type the request accepts.
func anyType(
	dialect errorWriter, f func(http.ResponseWriter, *http.Request) error,
) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := f(w, r); err != nil {
			dialect(w, problemOf(err))
		}
	}
}

// plain answers JSON by f, without limits.
func plain(
	dialect errorWriter, f func(http.ResponseWriter, *http.Request) error,
) http.HandlerFunc {
	return anyType(dialect, func(w http.ResponseWriter, r *http.Request) error {
		if _, err := form(r, typeJSON); err != nil {
			return err
		}
		return f(w, r)
	})
}

// form returns the one of some types that a request accepts most, and the first of those that it
// accepts as much. It refuses a request that accepts none.
func form(r *http.Request, types ...string) (string, error) {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if accept == "" || accept == "*/*" {
		return types[0], nil
	}
	best, most := "", 0.0
	for _, kind := range types {
		if q := quality(accept, kind); q > most {
			best, most = kind, q
		}
	}
	if best == "" {
		return "", newProblem(http.StatusNotAcceptable, kindMedia, fmt.Sprintf(
			"Accept %.100s: no answer has this type: use %s", accept, strings.Join(types, ", ")))
	}
	return best, nil
}

// quality is how much a header Accept wants a type, by its part that says most of it: 0 = not at
// all. A type that is named is a little more than one of a family, and that than any.
func quality(accept, kind string) float64 {
	family, _, _ := strings.Cut(kind, "/")
	names, at, q := []string{"*/*", family + "/*", kind}, -1, 0.0
	for part := range strings.SplitSeq(accept, ",") {
		name, parameters, err := mime.ParseMediaType(part)
		if rank := slices.Index(names, name); err == nil && rank > at {
			v, err := strconv.ParseFloat(cmp.Or(parameters["q"], "1"), 64)
			if at, q = rank, v+float64(rank)/1e6; err != nil || v <= 0 {
				q = 0
			}
		}
	}
	return q
}

// errorWriter answers with an error in the form of a protocol.
type errorWriter func(http.ResponseWriter, *problem)

// setKey is the key of the models that a request may see in its context.
type setKey struct{}

// set returns the models that a request may see.
func (h *handler) set(r *http.Request) *Models {
	if set, some := r.Context().Value(setKey{}).(*Models); some {
		return set
	}
	return h.models
}

// ServeHTTP answers a request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.Tokens != nil {
		set, err := h.allowed(r)
		if err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			dialectOf(r)(w, problemOf(err))
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), setKey{}, set))
	}
	answer, pattern := h.mux.Handler(r)
	if pattern != "" {
		h.mux.ServeHTTP(w, r)
		return
	}
	// nothing is there, or only for another method: the mux says which, in its own words
	b := &statusOnly{header: http.Header{}}
	answer.ServeHTTP(b, r)
	p := newProblem(http.StatusNotFound, kindAddress,
		"nothing is at "+r.URL.Path+": /openapi.json lists the addresses")
	if b.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", b.header.Get("Allow"))
		p = newProblem(b.status, kindMethod, fmt.Sprintf("%s has no method %s: use %s", r.URL.Path,
			r.Method, b.header.Get("Allow")))
	} else if b.status != 0 && b.status != http.StatusNotFound {
		answer.ServeHTTP(w, r) // a path that is cleaned by a redirect
		return
	}
	dialectOf(r)(w, p)
}

// dialectOf returns how errors are written at an address that is none.
func dialectOf(r *http.Request) errorWriter {
	if strings.HasPrefix(r.URL.Path, "/v2") {
		return writeErrorText
	}
	return writeProblem
}

// statusOnly keeps the status and the header of an answer.
type statusOnly struct {
	header http.Header
	status int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }
func (s *statusOnly) WriteHeader(status int)      { s.status = status }

// model returns the model that a request names.
func (h *handler) model(r *http.Request) (*Model, error) {
	version := r.PathValue("version")
	if version == "" {
		version = r.URL.Query().Get("version")
	}
	return find(h.set(r), r.PathValue("name"), version)
}

// find returns a model by its name and version.
func find(set *Models, name, version string) (*Model, error) {
	if m := set.Get(name, version); m != nil {
		return m, nil
	}
	if version != "" && set.Get(name, "") != nil {
		return nil, newProblem(http.StatusNotFound, kindModel,
			fmt.Sprintf("the model %q has no version %q: it has %s", name, version,
				strings.Join(versionsOf(set, name), ", ")))
	}
	var names []string
	for _, m := range set.All() {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	text := fmt.Sprintf("no model is called %q: ", name)
	if near := param.Nearest(name, names); near != "" {
		text += fmt.Sprintf("the nearest is %q", near)
	} else {
		text += "GET /v1/models lists them"
	}
	return nil, newProblem(http.StatusNotFound, kindModel, text)
}

// writeJSON answers with a value.
func writeJSON(w http.ResponseWriter, v any) error {
	writeBody(w, typeJSON, http.StatusOK, v)
	return nil
}

// writeBody answers with a value as JSON of a type of content.
func writeBody(w http.ResponseWriter, kind string, status int, v any) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(append(jsonOf(v), '\n')) // a client that has gone needs no answer
}

// contentType returns the type of a request's body with its parameters; "" is application/json.
func contentType(r *http.Request) (string, map[string]string, error) {
	text := r.Header.Get("Content-Type")
	if text == "" {
		return "application/json", nil, nil
	}
	kind, parameters, err := mime.ParseMediaType(text)
	charset := strings.ToLower(parameters["charset"])
	if err == nil && charset != "" && charset != "utf-8" && charset != "us-ascii" {
		err = errors.New("want the charset utf-8")
	}
	if err != nil {
		return "", nil, newProblem(http.StatusUnsupportedMediaType, kindMedia,
			fmt.Sprintf("Content-Type %q: %v", text, err))
	}
	if kind == "application/x-www-form-urlencoded" { // what curl -d sends
		kind = "application/json"
	}
	return kind, parameters, nil
}

// unsupported refuses a type of content.
func unsupported(kind, want string) error {
	return newProblem(http.StatusUnsupportedMediaType, kindMedia,
		fmt.Sprintf("Content-Type %s is not read here: use %s", kind, want))
}
