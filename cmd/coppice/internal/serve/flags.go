package serve

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/serve"
)

func (o *command) define(f *pflag.FlagSet) {
	f.StringVar(&o.listen, "listen", "", "listen on `ADDRESS`, HOST:PORT or unix:PATH; port 0 is any "+
		"free one, and 0.0.0.0 all machines (default: the environment variable "+listenVariable+
		", else localhost:8080)")
	f.StringVar(&o.admin, "admin", "", "open `ADDRESS` for who operates the server: metrics, reload, "+
		"rollback and profiles")
	f.StringVar(&o.ui, "ui", "auto", "the page at / is for `WHOM`: auto = this machine, if it alone "+
		"reaches --listen and there are no --tokens; any; off")
	f.IntVar(&o.options.Concurrent, "concurrent", 0,
		"answer at most `N` requests at a time, others get status 429 (default: 64 for each processor)")
	f.DurationVar(&o.options.Timeout, "timeout", 30*time.Second,
		"end a request that takes longer than `TIME` with status 503, or 408 if its body does not come")
	f.DurationVar(&o.drain, "drain", 25*time.Second,
		"wait up to `TIME` for the requests under way when the server is to end")
	f.BoolVar(&o.accessLog, "access-log", false,
		"write lines of JSON to standard error, one for each request, without values of rows")
}

func (o *command) defineAccess(f *pflag.FlagSet) {
	f.StringVar(&o.secrets.cert, "tls-cert", "", "speak TLS by the certificate in `FILE`, PEM, which "+
		"is read again when it changes")
	f.StringVar(&o.secrets.key, "tls-key", "", "the key of the certificate: `FILE`, PEM")
	f.StringVar(&o.secrets.clients, "client-ca", "",
		"accept clients alone whose certificates an authority in `FILE`, PEM, has signed")
	f.StringVar(&o.secrets.tokens, "tokens", "",
		"accept requests alone that have a token whose hash is in `FILE`, which is read again when it "+
			"changes; health needs none")
}

func (o *command) defineModels(f *pflag.FlagSet) {
	f.DurationVar(&o.poll, "poll", 5*time.Second, "look for changed files every `TIME`; 0 = never")
	f.BoolVar(&o.source.AcceptContract, "accept-contract", false,
		"let a model replace another that needs other columns or predicts something else")
	f.BoolVar(&o.repository, "repository-api", false, "let requests load and unload models, by the "+
		"extension model_repository of the Open Inference Protocol")
	o.LimitFlag.Define(f)
}

func (o *command) defineRows(f *pflag.FlagSet) {
	f.StringVar(&o.absent, "absent-column", "refuse", "take a column that a row does not name for "+
		"`WHAT`: refuse, missing or zero")
	f.StringVar(&o.unknown, "unknown", "ignore", "`WHAT` is done with a field that is no column of "+
		"the model: ignore or refuse")
	f.StringVar(&o.options.ID, "id", "", "rows have their id in `FIELD`, which is given back and logged")
	f.IntVar(&o.options.MaxRows, "max-rows", 100_000, "refuse requests of more than `N` rows, but "+
		"for JSON lines")
	f.StringVar(&o.body, "max-body", "32MiB", "refuse bodies of more than `SIZE`, and rows of JSON lines")
	f.BoolVar(&o.options.CSVHeader, "csv-header", false, "text/csv of /invocations begins with the "+
		"names of columns, unless its type says header=absent")
}

// listenVariable is what images set, whose ports other machines reach.
const listenVariable = "COPPICE_LISTEN"

// check finds misuse and completes the options.
func (o *command) check() error {
	o.listen = cmp.Or(o.listen, os.Getenv(listenVariable), "localhost:8080")
	for _, c := range []struct {
		flag, text string
		values     []string
	}{{"absent-column", o.absent, []string{"refuse", "missing", "zero"}},
		{"unknown", o.unknown, []string{"ignore", "refuse"}},
		{"ui", o.ui, []string{"auto", "any", "off"}}} {
		if !slices.Contains(c.values, c.text) {
			return cli.Misusef("--%s %q: %s", c.flag, c.text, cli.Instead(c.text, c.values))
		}
	}
	if err := o.secrets.check(); err != nil {
		return err
	}
	if err := o.log.check(); err != nil {
		return err
	}
	size, err := memory.Parse(o.body)
	if err != nil {
		return cli.Misusef("--max-body %w", err)
	}
	switch {
	case o.ui == "any" && o.secrets.tokens != "":
		return cli.Misusef("--ui any goes without --tokens: the page has none")
	case o.options.MaxRows < 1:
		return cli.Misusef("--max-rows %d: want a number from 1 up", o.options.MaxRows)
	case o.options.Concurrent < 0:
		return cli.Misusef("--concurrent %d: want a number from 1 up, or 0", o.options.Concurrent)
	case o.options.Timeout <= 0:
		return cli.Misusef("--timeout %v: want a time above 0", o.options.Timeout)
	case o.poll < 0 || o.drain < 0:
		return cli.Misusef("--poll and --drain: want a time from 0 up")
	}
	o.options.MaxBody, o.options.Strict = int64(size), o.unknown == "refuse"
	if o.repository {
		o.options.Repository = &o.source
	}
	o.options.Tables = []serve.TableFormat{arrow(o.options.MaxBody)}
	if o.absent != "refuse" {
		o.options.Absent = o.absent
	}
	return nil
}
