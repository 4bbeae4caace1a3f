suppressPackageStartupMessages(library(ranger))

# coded reads tables and codes them alike; what fills missing values in is the first one's.
coded <- function(...) {
  tables <- lapply(c(...), table_of)
  fill <- NULL
  if (any(sapply(tables, function(t) anyNA(t$x)))) fill <- fillings(tables[[1]]$x, tables[[1]]$levels)
  lapply(tables, function(t) {
    if (!is.null(fill)) t$x <- filled(t$x, fill)
    list(x = features(t$x, t$levels), y = t$y)
  })
}

grown <- function(t, trees, mtry, threads, variant, learner = "forest") {
  arguments <- list(x = t$x, y = t$y, num.trees = as.integer(trees), mtry = as.integer(mtry), num.threads = as.integer(threads),
    min.node.size = 1, save.memory = FALSE, respect.unordered.factors = variant, verbose = FALSE, seed = 1)
  if (learner == "extratrees") {
    arguments <- c(arguments, splitrule = "extratrees", replace = FALSE, sample.fraction = 1, oob.error = FALSE)
  }
  do.call(ranger, arguments)
}

wrong <- function(forest, t, threads) {
  predictions <- predict(forest, t$x, num.threads = as.integer(threads), verbose = FALSE)$predictions
  if (is.factor(t$y)) mean(predictions != t$y) else sqrt(mean((predictions - t$y)^2))
}

fit <- function(train, test, trees, mtry, threads, learner, variant) {
  interpreter <- memory("VmHWM")
  t <- coded(train)[[1]]
  gc()
  loaded <- memory("VmHWM")
  start <- now()
  forest <- grown(t, trees, mtry, threads, variant, learner)
  seconds <- now() - start
  peak <- memory("VmHWM")
  leaves <- mean(sapply(forest$forest$child.nodeIDs, function(ids) sum(ids[[1]] == 0)))
  print_result(seconds, interpreter = interpreter, loaded = loaded, peak = peak,
    error = wrong(forest, coded(train, test)[[2]], threads), leaves = leaves)
}

save <- function(train, model, trees, mtry, threads) {
  t <- coded(train)[[1]]
  forest <- grown(t, trees, mtry, threads, "ignore")
  saveRDS(forest, paste0(model, ".rds"))
  saveRDS(forest, paste0(model, "-plain.rds"), compress = FALSE)
  print_result(0)
}

classify <- function(model, test, threads) {
  forest <- readRDS(model)
  t <- coded(test)[[1]]
  start <- now()
  predict(forest, t$x, num.threads = as.integer(threads), verbose = FALSE)
  first <- now() - start
  start <- now()
  labels <- predict(forest, t$x, num.threads = as.integer(threads), verbose = FALSE)$predictions
  seconds <- now() - start
  print_result(seconds, first = first, rows = nrow(t$x), error = mean(labels != t$y))
}

load <- function(model, test, threads) {
  t <- coded(test)[[1]]
  gc()
  before <- memory("VmRSS")
  start <- now()
  forest <- readRDS(model)
  seconds <- now() - start
  after <- memory("VmRSS")
  error <- wrong(forest, t, threads)
  print_result(seconds, before = before, resident = after - before, used = memory("VmRSS") - before, file = file.size(model) / 1e6, error = error)
}

arguments <- commandArgs(trailingOnly = TRUE)
do.call(switch(arguments[1], fit = fit, save = save, predict = classify, load = load), as.list(arguments[-1]))
