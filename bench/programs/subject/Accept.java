public class Accept {
    public static String accept(byte[] data) {
        return "";
    }
}
