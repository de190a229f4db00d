/** What the tests run by the driver for Java. The library of Java has no JSON. */
public class Sample {
    public static Object parse(byte[] data) {
        System.out.println("stray print");
        String text = new String(data, java.nio.charset.StandardCharsets.UTF_8);
        switch (text) {
            case "crash": throw new AssertionError("never here");
            case "deep": return parse(data);
            case "exit": Runtime.getRuntime().halt(3);
        }
        if (data.length > 0 && data[0] == -1) return data;
        if (text.length() > 1000) return text;
        return Long.parseLong(text);
    }

    public static String number(String text) {
        return Integer.valueOf(text).toString();
    }
}
