module github.com/coppice-ml/coppice/testdata/models

go 1.26.0
