# memory returns a line of this process's status, such as VmHWM (peak) and VmRSS (now), in MB.
memory <- function(name) {
  lines <- readLines("/proc/self/status")
  as.numeric(gsub("[^0-9]", "", grep(paste0("^", name, ":"), lines, value = TRUE))) / 1e3
}

# table_of reads a folder of the benchmark: x, a matrix of numbers and codes with NaN for missing; the levels of each
# column, 0 = numeric; y, a factor of the codes of the classes or numbers; the number of classes, 0 = regression.
table_of <- function(folder) {
  sizes <- scan(file.path(folder, "columns.tsv"), quiet = TRUE)
  rows <- sizes[1]
  columns <- sizes[2]
  classes <- sizes[3]
  file <- file(file.path(folder, "x.f64"), "rb")
  x <- readBin(file, "double", rows * columns)
  close(file)
  dim(x) <- c(rows, columns)
  colnames(x) <- paste0("x", seq_len(columns))
  y <- readBin(file.path(folder, "y.f64"), "double", rows)
  if (classes > 0) y <- factor(y, levels = seq_len(classes) - 1)
  list(x = x, levels = sizes[-(1:3)], y = y, classes = classes)
}

# fillings returns what stands in for missing values: the median of numbers, the most frequent code of categories.
fillings <- function(x, levels) {
  sapply(seq_along(levels), function(j) {
    known <- x[!is.na(x[, j]), j]
    if (length(known) == 0) 0 else if (levels[j] == 0) median(known) else which.max(tabulate(known + 1)) - 1
  })
}

# filled returns x with missing values replaced.
filled <- function(x, fill) {
  if (anyNA(x)) {
    holes <- which(is.na(x), arr.ind = TRUE)
    x[holes] <- fill[holes[, 2]]
  }
  x
}

# features returns x as ranger takes it: a matrix of numbers, or a data frame with factors.
features <- function(x, levels) {
  if (all(levels == 0)) return(x)
  frame <- as.data.frame(x)
  for (j in which(levels > 0)) frame[[j]] <- factor(frame[[j]], levels = seq_len(levels[j]) - 1)
  frame
}

# print_result prints the result of a run.
print_result <- function(seconds, ...) {
  facts <- list(...)
  cat(sprintf('{"version": "ranger %s, R %s.%s", "seconds": %.9f, "facts": {%s}}\n', packageVersion("ranger"),
    R.version$major, R.version$minor, seconds, paste(sprintf('"%s": %.9g', names(facts), unlist(facts)), collapse = ", ")))
}

# now returns the time in seconds.
now <- function() as.numeric(Sys.time())
