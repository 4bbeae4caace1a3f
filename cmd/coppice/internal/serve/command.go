// Package serve is the command serve: it answers HTTP requests with the predictions of models, and
// loads them again when their files change.
package serve

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// command is the command serve with its flags.
type command struct {
	*cli.Console
	models.LimitFlag
	options    serve.Options
	source     serve.Source
	listen     string
	admin      string
	repository bool
	ui         string
	body       string
	unknown    string
	absent     string
	poll       time.Duration
	drain      time.Duration
	accessLog  bool
	secrets    secrets
	log        logFlags
	remotes    remotes
	printing   sync.Mutex
}

// folders are those that Amazon SageMaker and KServe mount models at.
var folders = []string{"/opt/ml/model", "/mnt/models"}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use: "serve MODEL...",
		Annotations: cli.Often(
			"listen ui admin poll absent-column unknown max-rows max-body concurrent timeout access-log log accept-contract"),
		Short: "Answer HTTP requests with predictions",
		Long: `Answer HTTP requests with the predictions of models of any tool that Coppice reads. The name of
a model is that of its file without the ending. It may lie in s3://, gs://, az:// and https://, with
#sha256=HEX behind the address if it is to be one file and no other. A folder has a file for each model, or a folder for
each, with a folder for each version: models/spam/3/spam.onnx. Without an argument the folder is
/opt/ml/model, or else /mnt/models, where clouds mount models.

A row is a JSON object by the names of columns, as in
curl localhost:8080/v1/models/churn/predict -d '{"age": 31, "plan": "basic"}'. Clients of the Open
Inference Protocol, KServe, Amazon SageMaker and MLflow find their addresses, too; GET
/openapi.json describes the models. Null is a missing value; a column that a row does not name is
an error, unless --absent-column says otherwise.

Files are looked at every --poll. A new one is loaded, verified by its golden rows, and compared
with the model that serves. If it needs other columns, or is damaged, the model before goes on, a
line says why, and all other models are served. SIGTERM ends the server once the requests under way are answered.

A browser at the address of --listen shows a page to try rows and tables, with reasons and smallest
changes. It is for this machine alone unless --ui any opens it.

--admin opens a port with /metrics for Prometheus, POST /reload, POST /models/NAME/rollback, health
and /debug/pprof. It has neither TLS nor tokens: let nobody else reach it. Without it /metrics is at
--listen, if this machine alone reaches that; with --tokens it needs one for all models.

--log writes the rows that are predicted to a folder as JSON lines, a file for each hour: time, id of
the model, inputs, prediction and flags. No request waits for it; rows that find no place are counted.
coppice monitor compares them with labels that come later, by the field of --id.

SIGHUP looks for changed files at once. systemd may open the socket, and is told when the server is
ready (Type=notify). The server listens on this machine alone by default. Others reach it with --listen 0.0.0.0:8080:
give --tls-cert and --tls-key, and --tokens or --client-ca, or put a proxy before it. A line of the
file of tokens is the SHA-256 hash of a token, and behind a blank the models that it is for; ","
separates them. The file is read again when it changes.`,
		Example: `  coppice serve churn.coppice
  coppice serve models/ --listen 0.0.0.0:8080 --access-log
  coppice serve churn.coppice --tokens tokens.txt --tls-cert cert.pem --tls-key key.pem`,
		Args: cli.Operands(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Server", o.define), cli.NewSection("Access", o.defineAccess),
		cli.NewSection("Log", o.log.define), cli.NewSection("Models", o.defineModels), cli.NewSection("Rows", o.defineRows))
}

func (o *command) run(ctx context.Context, paths []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(paths) == 0 {
		at := slices.IndexFunc(folders, func(folder string) bool {
			_, err := outside.FileInfo(folder)
			return err == nil
		})
		if at < 0 {
			return cli.Misusef("name a model file or a folder of them: neither %s nor %s is there",
				folders[0], folders[1])
		}
		paths = folders[at : at+1]
	}
	var err error
	if _, err = o.secrets.readTokens(); err != nil {
		return err
	}
	o.options.Tokens = o.secrets.accepted
	defer o.remotes.close()
	if o.source.Paths, err = o.remotes.open(ctx, paths); err != nil {
		return err
	}
	o.source.Open = func(path string) (model.Model, error) {
		m, err := o.LimitFlag.Open(path, false)
		if _, gone := outside.FileInfo(path); err != nil && errors.Is(gone, fs.ErrNotExist) {
			return nil, fs.ErrNotExist
		}
		return m, err
	}
	o.source.Stray = func(path string) bool {
		named := formats.BySuffix(path) != nil && filepath.Ext(path) != ".txt" // which notes have, too
		_, err := formats.Of(path)
		return !named && errors.Is(err, formats.ErrUnknown)
	}
	set := serve.NewModels()
	events, err := o.source.Refresh(ctx, set)
	if err != nil {
		return err
	}
	for i := range events {
		if e := &events[i]; e.Err != nil && len(set.All()) == 0 {
			return o.failure(e)
		}
	}
	o.report(slices.DeleteFunc(events, func(e serve.Event) bool { return e.Err == nil }))
	return o.serve(ctx, set)
}
