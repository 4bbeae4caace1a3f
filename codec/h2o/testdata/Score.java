import hex.genmodel.*;
import hex.genmodel.algos.tree.*;
import java.io.*;
import java.util.*;

/** Prints what MOJO models predict for rows of doubles: Score MODEL.zip ROWS.csv; an empty field is missing. */
public class Score {
  public static void main(String[] args) throws Exception {
    MojoModel m = MojoModel.load(args[0]);
    SharedTreeMojoModel t = (SharedTreeMojoModel) m;
    BufferedReader in = new BufferedReader(new FileReader(args[1]));
    in.readLine();
    String line;
    int n = m.nfeatures();
    while ((line = in.readLine()) != null) {
      String[] f = line.split(",", -1);
      double[] row = new double[m.getNames().length];
      for (int i = 0; i < n; i++) row[i] = f[i].isEmpty() ? Double.NaN : Double.parseDouble(f[i]);
      double[] preds = new double[m.getPredsSize()];
      m.score0(row, preds);
      StringBuilder b = new StringBuilder();
      for (double p : preds) b.append(b.length() > 0 ? "," : "").append(p);
      System.out.println(b);
    }
  }
}
