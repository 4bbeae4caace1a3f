package lab

import (
	"context"
	"net"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/playground/site"
)

// playgroundFlags choose what becomes of the playground.
type playgroundFlags struct{ serve, export string }

func (p *playgroundFlags) define(f *pflag.FlagSet) {
	f.StringVar(&p.serve, "serve", "", "show the playground at `ADDRESS`, such as :8080, which "+
		"only this machine reaches, or 0.0.0.0:8080 for all, until Ctrl-C")
	f.StringVar(&p.export, "export", "", "write the playground as static files to the folder "+
		"`DIR`, for any web server (other builds than releases need Go and a checkout)")
}

func (p *playgroundFlags) requested() bool { return p.serve != "" || p.export != "" }

// playground serves or exports the playground.
func (o *command) playground(ctx context.Context, names []string) error {
	switch {
	case o.play.serve != "" && o.play.export != "":
		return cli.Misusef("--serve and --export exclude each other: give one")
	case len(names) > 0 || o.folder != "" || o.data != "" || o.quick || o.JSONFlag.JSON:
		return cli.Misusef("--serve and --export take no reproductions, and no other flags")
	case o.play.export != "":
		o.Progress.Begin("compile")
		written, err := site.Export(ctx, o.play.export)
		if err != nil {
			return err
		}
		o.Printf("%d files in %s, %.1f MB: put the folder on any web server\n", written.Files,
			o.play.export, float64(written.Bytes)/1e6)
		return nil
	}
	l, err := site.Listen(o.play.serve)
	if err != nil {
		return err
	}
	// the result is buffered until the command ends, a remark is not
	o.Note("the playground is at http://%s until Ctrl-C", open(l.Addr()))
	return site.Serve(ctx, l, o.play.serve)
}

// open is the address that a browser on this machine opens.
func open(a net.Addr) string {
	if at, ok := a.(*net.TCPAddr); ok && at.IP.IsUnspecified() {
		return (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: at.Port}).String()
	}
	return a.String()
}
