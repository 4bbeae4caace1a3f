//go:build linux

package accuracy

import (
	"context"
	"os/exec"
	"strings"

	"github.com/coppice-ml/coppice/learn/catalog"
)

// missing is a side that cannot run here.
type missing struct{ text, why string }

// importing is a Python program that imports a module, from folders that are given first.
const importing = "import sys, importlib\nsys.path[:0] = [p for p in sys.argv[2:] if p]\n" +
	"import pandas\nimportlib.import_module(sys.argv[1])\n"

// present splits sides into those that can run, and those of peers whose packages are not here.
func (b *bench) present(ctx context.Context, sides []side) (here []side, gone []missing) {
	why := map[string]string{}
	for _, s := range sides {
		method := s.words[0]
		if _, err := catalog.Find(method); err == nil || method == "tune" {
			here = append(here, s)
			continue
		}
		command := b.importOf(ctx, method)
		key := strings.Join(command.Args, " ")
		if _, known := why[key]; !known {
			why[key] = ""
			if out, err := command.CombinedOutput(); err != nil {
				lines := strings.Split(strings.TrimSpace(string(out)+"\n"+err.Error()), "\n")
				why[key] = strings.TrimSpace(lines[max(0, len(lines)-2)])
			}
		}
		if why[key] == "" {
			here = append(here, s)
		} else {
			gone = append(gone, missing{s.text, why[key]})
		}
	}
	return here, gone
}

// importOf is a command that imports what a peer's method needs.
func (b *bench) importOf(ctx context.Context, method string) *exec.Cmd {
	if strings.HasPrefix(method, "ranger") {
		return exec.CommandContext(ctx, b.R, "-e", "library(ranger)")
	}
	module := "sklearn"
	for _, own := range []string{"lightgbm", "xgboost", "optuna"} {
		if strings.HasPrefix(method, own) {
			module = own
		}
	}
	return exec.CommandContext(ctx, b.Python, "-c", importing, module, b.LightGBM, b.XGBoost)
}
