suppressPackageStartupMessages(library(ranger))

# peers.R FOLDER OUT METHOD ROUND SEED THREADS LIMIT LIGHTGBM XGBOOST SETTING... trains ranger on a round of a set, with the
# settings trees and node_size, and writes what it predicts of the test rows to OUT.

# probabilities returns a row's probabilities of the trees' votes for all classes, or its value; a row of the matrix for each row.
probabilities <- function(forest, x, classes, threads) {
  p <- predict(forest, x, predict.all = classes > 0, num.threads = threads, verbose = FALSE)$predictions
  if (classes == 0) return(matrix(p, ncol = 1))
  code <- as.integer(forest$forest$levels) # of what a tree votes for
  sapply(seq_len(classes) - 1, function(k) if (k %in% code) rowMeans(p == match(k, code)) else numeric(nrow(p)))
}

main <- function(folder, out, method, round, seed, threads, limit, lightgbm, xgboost, ...) {
  settings <- do.call(rbind, strsplit(c(...), "="))
  setting <- function(name) as.integer(settings[settings[, 1] == name, 2])
  t <- table_of(folder)
  sets <- readBin(file.path(folder, "rounds.i8"), "integer", 1e9, size = 1)
  dim(sets) <- c(nrow(t$x), length(sets) / nrow(t$x))
  train <- sets[, as.integer(round) + 1] == 0
  test <- sets[, as.integer(round) + 1] == 1
  x <- features(filled(t$x, fillings(t$x[train, , drop = FALSE], t$levels)), t$levels)
  mtry <- max(1, floor(if (t$classes > 0) sqrt(ncol(t$x)) else ncol(t$x) / 3))
  # it splits columns of up to 53 categories into sets
  coding <- if (method == "ranger-extratrees" && max(t$levels) <= 53) "partition" else "ignore"
  arguments <- list(x = x[train, , drop = FALSE], y = if (t$classes > 0) droplevels(t$y[train]) else t$y[train],
    num.trees = setting("trees"), mtry = mtry, min.node.size = setting("node_size"), num.threads = as.integer(threads),
    respect.unordered.factors = coding, oob.error = FALSE, verbose = FALSE, seed = as.integer(seed) + 1)
  if (method == "ranger-extratrees") {
    arguments <- c(arguments, list(splitrule = "extratrees", replace = FALSE, sample.fraction = 1))
  }
  start <- proc.time()
  forest <- do.call(ranger, arguments)
  seconds <- sum((proc.time() - start)[c("user.self", "sys.self")])
  file <- file(out, "wb")
  writeBin(as.vector(t(probabilities(forest, x[test, , drop = FALSE], t$classes, as.integer(threads)))), file)
  close(file)
  print_result(seconds)
}

do.call(main, as.list(commandArgs(trailingOnly = TRUE)))
