import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import weka.classifiers.Classifier;
import weka.classifiers.trees.Id3;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.BinC45Split;
import weka.classifiers.trees.j48.C45Split;
import weka.classifiers.trees.j48.ClassifierSplitModel;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.classifiers.trees.j48.Stats;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Statistics;
import weka.core.Utils;

/**
 * Freezes what Weka's J48 and Id3 make of real data, for the tests of learn/c45 and learn/id3.
 *
 *     java -cp /usr/share/java/weka.jar Freeze.java DATA
 *
 * DATA is the folder of data sets: data/ below the folder that COPPICE_DATA names. Needs Debian's weka 3.6.14 and a JDK. Writes
 * j48.json.gz beside this file and ../../../id3/testdata/weka/id3.json.gz; run it in this folder. README.md describes both files.
 * The same versions write the same bytes.
 *
 * Tables are read from the CSV file that the set names: fields split at commas, blanks around them dropped, "?" is missing.
 * The attributes are the file's columns in the file's order, without those that the set drops. A column is numeric where the set's
 * ARFF says so or, without one, where every known value of the rows used is a number. The values of a nominal attribute, and so
 * the classes, stand in the order of their declaration in the ARFF file or, without one, sorted bytewise among the rows used,
 * held-out rows included: a value may be declared that no training row has. Training rows are the first ones of the file, the
 * held-out rows those that follow.
 */
public class Freeze {
  /** A table: its file, the ARFF file that declares it or null, label, dropped column or null, training rows (0 all), held out. */
  record Source(String name, String file, String arff, String label, String drop, int train, int held) {}

  static final List<Source> SOURCES = List.of(
      new Source("weather.nominal", "weather/weather.nominal.csv", "weather/weather.nominal.arff", "play", null, 0, 0),
      new Source("weather.numeric", "weather/weather.numeric.csv", "weather/weather.numeric.arff", "play", null, 0, 0),
      new Source("soybean", "soybean/soybean.csv", "soybean/soybean.arff", "class", null, 0, 0),
      new Source("soybean-500", "soybean/soybean.csv", "soybean/soybean.arff", "class", null, 500, 183),
      new Source("mushroom", "mushroom/mushroom.csv", null, "edibility", null, 0, 0),
      new Source("mushroom-complete", "mushroom/mushroom.csv", null, "edibility", "stalk-root", 0, 0),
      new Source("letter", "letter/letter.csv", null, "lettr", null, 4000, 500),
      new Source("adult", "adult/adult-train.csv.gz", null, "income", null, 3000, 500));

  /** The J48 runs: set, options, whether row i weighs 0.5 + (7 i mod 5) / 2 instead of 1. */
  record Run(String set, String options, boolean weighted) {
    Run(String set, String options) {
      this(set, options, false);
    }
  }

  static final List<Run> RUNS = List.of(
      new Run("weather.nominal", "-C 0.25 -M 2"),
      new Run("weather.nominal", "-U -M 2"),
      new Run("weather.nominal", "-C 0.25 -B -M 2"),
      new Run("weather.nominal", "-U -M 1"),
      new Run("weather.numeric", "-C 0.25 -M 2"),
      new Run("weather.numeric", "-U -M 2"),
      new Run("weather.numeric", "-U -B -M 2"),
      new Run("weather.numeric", "-C 0.25 -M 2 -A"),
      new Run("soybean", "-C 0.25 -M 2"),
      new Run("soybean", "-U -M 2"),
      new Run("soybean", "-C 0.25 -M 2 -A"),
      new Run("soybean", "-S -C 0.25 -M 2"),
      new Run("soybean", "-C 0.25 -B -M 2"),
      new Run("soybean", "-U -B -M 2"),
      new Run("soybean-500", "-C 0.25 -M 2"),
      new Run("soybean-500", "-C 0.1 -M 5 -A"),
      new Run("mushroom", "-C 0.25 -M 2"),
      new Run("mushroom", "-U -M 2"),
      new Run("mushroom", "-C 0.25 -B -M 2"),
      new Run("letter", "-C 0.25 -M 2"),
      new Run("letter", "-U -M 2"),
      new Run("letter", "-S -C 0.25 -M 2"),
      new Run("letter", "-C 0.05 -M 10"),
      new Run("adult", "-C 0.25 -M 2"),
      new Run("adult", "-U -M 2"),
      new Run("adult", "-S -C 0.25 -M 2"),
      new Run("adult", "-C 0.25 -B -M 2"),
      new Run("adult", "-U -B -M 2"),
      new Run("adult", "-C 0.25 -M 2 -A"),
      new Run("adult", "-C 0.4 -M 5"),
      new Run("adult", "-C 0.25 -M 2", true));

  static final int PREDICTED = 300; // training rows whose predictions are frozen, spread over the file, beside all held-out ones

  /** A source as read: all rows, used or held out, in one Instances. */
  record Table(Source source, Instances rows, int train) {
    Instances training(boolean weighted) {
      Instances some = new Instances(rows, 0, train);
      for (int i = 0; weighted && i < train; i++) some.instance(i).setWeight(0.5 + (7 * i % 5) / 2.0);
      return some;
    }

    List<Integer> predicted() {
      List<Integer> list = new ArrayList<>();
      int step = Math.max(1, train / PREDICTED);
      for (int i = 0; i < train; i += step) list.add(i);
      for (int i = train; i < rows.numInstances(); i++) list.add(i);
      return list;
    }
  }

  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]);
    Map<String, Table> tables = new LinkedHashMap<>();
    for (Source s : SOURCES) tables.put(s.name, read(data, s));

    Map<String, Object> j48 = preamble();
    Map<String, Object> sets = new LinkedHashMap<>();
    for (Table t : tables.values()) if (!t.source.name.equals("mushroom-complete")) sets.put(t.source.name, describe(t));
    j48.put("added_errors", addedErrors());
    j48.put("sets", sets);
    List<Object> cases = new ArrayList<>();
    for (Run r : RUNS) cases.add(freezeJ48(tables.get(r.set), r));
    j48.put("cases", cases);
    write("j48.json.gz", j48);

    Map<String, Object> id3 = preamble();
    sets = new LinkedHashMap<>();
    cases = new ArrayList<>();
    for (String name : List.of("weather.nominal", "mushroom-complete")) {
      sets.put(name, describe(tables.get(name)));
      cases.add(freezeId3(tables.get(name)));
    }
    id3.put("sets", sets);
    id3.put("cases", cases);
    write("../../../id3/testdata/weka/id3.json.gz", id3);
  }

  static Map<String, Object> preamble() {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("weka", weka.core.Version.VERSION);
    m.put("java", System.getProperty("java.vm.version"));
    return m;
  }

  // Reading.

  static Table read(Path data, Source s) throws Exception {
    List<String[]> lines = lines(data.resolve(s.file));
    String[] header = lines.remove(0);
    int train = s.train == 0 ? lines.size() : s.train;
    lines = lines.subList(0, train + s.held);
    Instances declared = s.arff == null ? null : new Instances(new FileReader(data.resolve(s.arff).toFile()));

    FastVector attributes = new FastVector();
    List<Integer> columns = new ArrayList<>();
    for (int c = 0; c < header.length; c++) {
      if (header[c].equals(s.drop)) continue;
      columns.add(c);
      attributes.addElement(declared != null ? declare(declared.attribute(header[c])) : infer(header[c], lines, c));
    }
    Instances rows = new Instances(s.name, attributes, lines.size());
    rows.setClass(rows.attribute(s.label));
    for (String[] line : lines) {
      double[] value = new double[columns.size()];
      for (int a = 0; a < value.length; a++) value[a] = value(rows.attribute(a), line[columns.get(a)]);
      rows.add(new Instance(1, value));
    }
    if (declared != null) agree(rows, declared, s);
    return new Table(s, rows, train);
  }

  static List<String[]> lines(Path path) throws IOException {
    InputStream in = new FileInputStream(path.toFile());
    if (path.toString().endsWith(".gz")) in = new GZIPInputStream(in);
    List<String[]> lines = new ArrayList<>();
    try (BufferedReader r = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = r.readLine(); line != null; line = r.readLine()) {
        if (line.isBlank()) continue;
        if (line.indexOf('"') >= 0) throw new IOException(path + ": quotes are not understood here: " + line);
        String[] fields = line.split(",", -1);
        for (int i = 0; i < fields.length; i++) fields[i] = fields[i].strip();
        lines.add(fields);
      }
    }
    return lines;
  }

  static Attribute declare(Attribute a) {
    if (a.isNumeric()) return new Attribute(a.name());
    FastVector values = new FastVector();
    for (int v = 0; v < a.numValues(); v++) values.addElement(a.value(v));
    return new Attribute(a.name(), values);
  }

  static Attribute infer(String name, List<String[]> lines, int column) {
    TreeSet<String> values = new TreeSet<>();
    boolean numeric = true;
    for (String[] line : lines) {
      if (line[column].equals("?")) continue;
      values.add(line[column]);
      numeric = numeric && line[column].matches("-?[0-9]+([.][0-9]+)?");
    }
    if (numeric) return new Attribute(name);
    FastVector list = new FastVector();
    for (String v : values) list.addElement(v);
    return new Attribute(name, list);
  }

  static double value(Attribute a, String field) {
    if (field.equals("?")) return Instance.missingValue();
    if (a.isNumeric()) return Double.parseDouble(field);
    int index = a.indexOfValue(field);
    if (index < 0) throw new IllegalArgumentException(a.name() + " does not declare " + field);
    return index;
  }

  /** Fails unless the CSV file holds the very table of the ARFF file. */
  static void agree(Instances rows, Instances declared, Source s) {
    for (int i = 0; i < rows.numInstances(); i++)
      for (int a = 0; a < rows.numAttributes(); a++)
        if (Double.compare(rows.instance(i).value(a), declared.instance(i).value(a)) != 0)
          throw new IllegalArgumentException(s.file + ": row " + i + " differs from " + s.arff);
  }

  static Map<String, Object> describe(Table t) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("file", t.source.file);
    m.put("label", t.source.label);
    m.put("train", t.train);
    m.put("held", t.rows.numInstances() - t.train);
    List<Object> columns = new ArrayList<>();
    for (int a = 0; a < t.rows.numAttributes(); a++) {
      Map<String, Object> column = new LinkedHashMap<>();
      column.put("name", t.rows.attribute(a).name());
      if (t.rows.attribute(a).isNominal()) column.put("values", values(t.rows.attribute(a)));
      columns.add(column);
    }
    m.put("columns", columns);
    m.put("predicted", t.predicted());
    return m;
  }

  static List<Object> values(Attribute a) {
    List<Object> list = new ArrayList<>();
    for (int v = 0; v < a.numValues(); v++) list.add(a.value(v));
    return list;
  }

  // J48.

  static Map<String, Object> freezeJ48(Table t, Run run) throws Exception {
    J48 model = new J48();
    model.setOptions(Utils.splitOptions(run.options));
    model.setSaveInstanceData(true); // keeps each node's training rows; changes nothing else
    Instances training = t.training(run.weighted);
    model.buildClassifier(training);
    ClassifierTree root = (ClassifierTree) get(model, "m_root");

    Map<String, Object> m = new LinkedHashMap<>();
    m.put("set", run.set);
    m.put("options", run.options);
    m.put("weighted", run.weighted);
    m.put("leaves", model.measureNumLeaves());
    m.put("size", model.measureTreeSize());
    List<Object> nodes = new ArrayList<>();
    walk(root, nodes, model.getUnpruned() ? model : null);
    m.put("nodes", nodes);
    predictions(model, t, training, m);
    System.err.println(run + ": " + model.measureNumLeaves() + " leaves, " + model.measureTreeSize() + " nodes");
    return m;
  }

  /** Appends the node and all below it, in preorder. Lists rival attributes where unpruned is the model. */
  static int walk(ClassifierTree tree, List<Object> nodes, J48 unpruned) throws Exception {
    int at = nodes.size();
    Map<String, Object> node = new LinkedHashMap<>();
    nodes.add(node);
    ClassifierSplitModel split = (ClassifierSplitModel) get(tree, "m_localModel");
    Distribution d = split.distribution();
    List<Object> weight = new ArrayList<>();
    for (int c = 0; c < d.numClasses(); c++) weight.add(d.perClass(c));
    node.put("weight", weight);
    node.put("class", d.maxClass());
    if ((Boolean) get(tree, "m_isLeaf")) {
      node.put("empty", get(tree, "m_isEmpty"));
      node.put("errors", d.numIncorrect());
      return at;
    }
    int attribute = (Integer) get(split, "m_attIndex");
    Instances train = (Instances) get(tree, "m_train");
    node.put("column", attribute);
    if (train.attribute(attribute).isNumeric() || split instanceof BinC45Split) node.put("at", get(split, "m_splitPoint"));
    node.put("gain", get(split, "m_infoGain"));
    node.put("ratio", get(split, "m_gainRatio"));
    List<Object> branch = new ArrayList<>();
    for (int b = 0; b < d.numBags(); b++) branch.add(d.perBag(b));
    node.put("branch", branch);
    if (unpruned != null) node.put("rivals", rivals(train, unpruned));
    List<Object> children = new ArrayList<>();
    node.put("children", children);
    for (ClassifierTree son : (ClassifierTree[]) get(tree, "m_sons")) children.add(walk(son, nodes, unpruned));
    return at;
  }

  /** The attributes with a usable split of these rows: [attribute, gain, gain ratio]. */
  static List<Object> rivals(Instances train, J48 model) throws Exception {
    List<Object> list = new ArrayList<>();
    for (int a = 0; a < train.numAttributes(); a++) {
      if (a == train.classIndex()) continue;
      ClassifierSplitModel split;
      if (model.getBinarySplits()) split = new BinC45Split(a, model.getMinNumObj(), train.sumOfWeights());
      else split = new C45Split(a, model.getMinNumObj(), train.sumOfWeights());
      split.buildClassifier(new Instances(train));
      if (split.checkModel()) list.add(List.of(a, round((Double) get(split, "m_infoGain")), round((Double) get(split, "m_gainRatio"))));
    }
    return list;
  }

  static double round(double v) {
    return Double.parseDouble(String.format(java.util.Locale.ROOT, "%.10g", v));
  }

  static void predictions(Classifier model, Table t, Instances training, Map<String, Object> m) throws Exception {
    int wrong = 0;
    for (int i = 0; i < training.numInstances(); i++)
      if (model.classifyInstance(training.instance(i)) != training.instance(i).classValue()) wrong++;
    m.put("training_errors", wrong);
    List<Object> classes = new ArrayList<>();
    List<Object> distributions = new ArrayList<>();
    for (int row : t.predicted()) {
      Instance instance = t.rows.instance(row);
      double c = model.classifyInstance(instance);
      classes.add(Instance.isMissingValue(c) ? -1 : (int) c);
      List<Object> p = new ArrayList<>();
      for (double v : model.distributionForInstance(instance)) p.add(v);
      distributions.add(p);
    }
    m.put("predicted", classes);
    m.put("distributions", distributions);
  }

  /** [N, e, CF, added errors, and the normal quantile of 1 - CF]. */
  static List<Object> addedErrors() {
    List<Object> list = new ArrayList<>();
    for (float cf : new float[] {0.05f, 0.1f, 0.25f, 0.4f, 0.5f, 0.6f})
      for (double n : new double[] {0.3, 1, 1.4, 2, 3.5, 6, 14, 100, 3000})
        for (double e : new double[] {0, 1e-9, 0.25, 0.999, 1, 1.5, 2, 5.75, 13.4, 40, 99.6, 2000})
          if (e <= n) list.add(List.of(n, e, (double) cf, Stats.addErrs(n, e, cf), Statistics.normalInverse(1 - cf)));
    return list;
  }

  // Id3.

  static Map<String, Object> freezeId3(Table t) throws Exception {
    Id3 model = new Id3();
    Instances training = t.training(false);
    model.buildClassifier(training);
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("set", t.source.name);
    List<Object> nodes = new ArrayList<>();
    walkId3(model, training, nodes);
    m.put("nodes", nodes);
    predictions(model, t, training, m);
    System.err.println("Id3 " + t.source.name + ": " + nodes.size() + " nodes");
    return m;
  }

  static int walkId3(Id3 tree, Instances rows, List<Object> nodes) throws Exception {
    int at = nodes.size();
    Map<String, Object> node = new LinkedHashMap<>();
    nodes.add(node);
    double[] weight = new double[rows.numClasses()];
    for (int i = 0; i < rows.numInstances(); i++) weight[(int) rows.instance(i).classValue()]++;
    List<Object> list = new ArrayList<>();
    for (double w : weight) list.add(w);
    node.put("weight", list);
    Attribute attribute = (Attribute) get(tree, "m_Attribute");
    if (attribute == null) {
      double c = (Double) get(tree, "m_ClassValue");
      node.put("class", Instance.isMissingValue(c) ? -1 : (int) c);
      return at;
    }
    node.put("column", attribute.index());
    List<Object> gains = new ArrayList<>();
    var compute = Id3.class.getDeclaredMethod("computeInfoGain", Instances.class, Attribute.class);
    compute.setAccessible(true);
    for (int a = 0; a < rows.numAttributes(); a++)
      gains.add(a == rows.classIndex() ? 0.0 : (Double) compute.invoke(tree, rows, rows.attribute(a)));
    node.put("gains", gains);
    List<Object> children = new ArrayList<>();
    node.put("children", children);
    Id3[] sons = (Id3[]) get(tree, "m_Successors");
    for (int v = 0; v < sons.length; v++) {
      Instances part = new Instances(rows, 0);
      for (int i = 0; i < rows.numInstances(); i++)
        if ((int) rows.instance(i).value(attribute) == v) part.add(rows.instance(i));
      children.add(walkId3(sons[v], part, nodes));
    }
    return at;
  }

  /** The value of a field of o, private ones and those of superclasses too. */
  static Object get(Object o, String field) throws Exception {
    for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
      for (Field f : c.getDeclaredFields())
        if (f.getName().equals(field)) {
          f.setAccessible(true);
          return f.get(o);
        }
    throw new NoSuchFieldException(field);
  }

  // Writing.

  static void write(String name, Object value) throws IOException {
    Files.createDirectories(Path.of(name).toAbsolutePath().getParent());
    try (Writer w = new OutputStreamWriter(new GZIPOutputStream(new FileOutputStream(name)), StandardCharsets.UTF_8)) {
      json(value, w);
      w.write('\n');
    }
  }

  static void json(Object value, Writer w) throws IOException {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> e : map.entrySet()) {
        w.write(separator);
        json(e.getKey(), w);
        w.write(':');
        json(e.getValue(), w);
        separator = ",";
      }
      w.write("}");
    } else if (value instanceof List<?> list) {
      w.write('[');
      for (int i = 0; i < list.size(); i++) {
        if (i > 0) w.write(',');
        json(list.get(i), w);
      }
      w.write(']');
    } else if (value instanceof Double d) {
      if (d.isNaN() || d.isInfinite()) throw new IOException("no JSON number: " + d);
      w.write(d == Math.rint(d) && Math.abs(d) < 1e15 ? Long.toString(d.longValue()) : d.toString());
    } else if (value instanceof String s) {
      w.write('"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
    } else {
      w.write(String.valueOf(value));
    }
  }
}
