# probabilities returns a row's probabilities of the trees' votes for all classes, or its value; a row of the matrix for each row.
probabilities <- function(forest, x, classes, threads) {
  p <- predict(forest, x, predict.all = classes > 0, num.threads = threads, verbose = FALSE)$predictions
  if (classes == 0) return(matrix(p, ncol = 1))
  code <- as.integer(forest$forest$levels) # of what a tree votes for
  sapply(seq_len(classes) - 1, function(k) if (k %in% code) rowMeans(p == match(k, code)) else numeric(nrow(p)))
}

main <- function(folder, out, method, coding, trees, mtry, node, first, threads) {
  t <- table_of(folder)
  rounds <- readBin(file.path(folder, "rounds.i8"), "integer", 1e9, size = 1)
  dim(rounds) <- c(nrow(t$x), length(rounds) / nrow(t$x))
  start <- now()
  file <- file(out, "wb")
  for (round in seq_len(ncol(rounds))) {
    train <- rounds[, round] == 0
    test <- rounds[, round] == 1
    x <- features(filled(t$x, fillings(t$x[train, , drop = FALSE], t$levels)), t$levels)
    arguments <- list(x = x[train, , drop = FALSE], y = if (t$classes > 0) droplevels(t$y[train]) else t$y[train],
      num.trees = as.integer(trees), mtry = as.integer(mtry), min.node.size = as.integer(node), num.threads = as.integer(threads),
      respect.unordered.factors = coding, oob.error = FALSE, verbose = FALSE, seed = as.integer(first) + round)
    if (method == "extratrees") arguments <- c(arguments, list(splitrule = "extratrees", replace = FALSE, sample.fraction = 1))
    forest <- do.call(ranger, arguments)
    writeBin(as.vector(t(probabilities(forest, x[test, , drop = FALSE], t$classes, as.integer(threads)))), file)
  }
  close(file)
  print_result(now() - start)
}

do.call(main, as.list(commandArgs(trailingOnly = TRUE)))
