// The function that parallax runs. An exception rejects the input; Driver.java has the rules. Replace it by a call of yours.
public class Parse {
    public static Object parse(String text) {
        return Long.parseLong(text);
    }
}
