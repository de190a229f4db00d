import java.io.*;
import java.lang.reflect.*;
import java.nio.*;
import java.nio.charset.*;
import java.util.*;

/**
 * A driver of parallax for Java: runs a static method on each input, and answers with what it returned or threw.
 *
 *     java -XX:-UsePerfData -cp CLASSES Driver.java CLASS.METHOD [--reject NAMES]       or, compiled: ... -cp CLASSES:. Driver ...
 *
 * The method takes byte[] or String (inputs that are not UTF-8 are declined then). What it returns is compared as it is, if it
 * is byte[] or String, and by its toString otherwise. Every Exception is a rejection, and every Error a crash; with --reject,
 * exceptions of these classes (JsonParseException,...) are rejections, and all others crashes. Or, in a copy of this file, give
 * serve a lambda.
 */
public class Driver {
    public interface Program {
        Object run(byte[] input) throws Throwable;
    }

    /** What a program throws for an input that is not its business. */
    public static class Declined extends Exception {
        public Declined(String why) { super(why); }
    }

    /** Answers requests until they end. */
    public static void serve(Program program, Set<String> reject) throws IOException {
        InputStream requests = new BufferedInputStream(System.in, 1 << 16);
        OutputStream answers = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err); // What is printed goes to standard error.
        answers.write("parallax-driver 1 numbers\n".getBytes(StandardCharsets.US_ASCII));
        for (int number = 0; ; number++) {
            byte[] header = requests.readNBytes(4);
            if (header.length < 4) return;
            byte[] input = requests.readNBytes(ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt());
            char verdict = 'A';
            byte[] text;
            try {
                Object value = program.run(input);
                text = value instanceof byte[] ? (byte[]) value : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
            } catch (Throwable t) {
                verdict = t instanceof Declined ? 'D' : rejection(t, reject) ? 'R' : 'C';
                text = said(t, verdict).getBytes(StandardCharsets.UTF_8);
            }
            ByteBuffer answer = ByteBuffer.allocate(13 + text.length).order(ByteOrder.LITTLE_ENDIAN);
            answers.write(answer.putInt(9 + text.length).putInt(number).put((byte) verdict).putInt(text.length).put(text).array());
        }
    }

    static boolean rejection(Throwable t, Set<String> reject) {
        if (reject.isEmpty()) return t instanceof Exception;
        for (Class<?> c = t.getClass(); c != null; c = c.getSuperclass())
            if (reject.contains(c.getSimpleName()) || reject.contains(c.getName())) return true;
        return false;
    }

    /** The message, and of a crash where it came from: the innermost places, of a stack that may have overflowed. */
    static String said(Throwable t, char verdict) {
        if (verdict != 'C') return t.toString();
        StringBuilder all = new StringBuilder(t.toString().replace('\n', ' '));
        StackTraceElement[] stack = t.getStackTrace();
        for (int i = 0; i < stack.length && i < 20; i++) all.append("\n    at ").append(stack[i]);
        return all.toString();
    }

    static Program find(String name) throws Exception {
        int dot = name.lastIndexOf('.');
        if (dot < 0) throw new IllegalArgumentException("what to run is CLASS.METHOD, not " + name);
        for (Method m : Class.forName(name.substring(0, dot)).getMethods()) {
            Class<?>[] takes = m.getParameterTypes();
            if (!m.getName().equals(name.substring(dot + 1)) || takes.length != 1 || !Modifier.isStatic(m.getModifiers())) continue;
            if (takes[0] != byte[].class && !takes[0].isAssignableFrom(String.class)) continue;
            m.setAccessible(true);
            return input -> {
                try {
                    return m.invoke(null, takes[0] == byte[].class ? input : decode(input));
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
        }
        throw new NoSuchMethodException(name + "(byte[]) or (String), public and static");
    }

    static String decode(byte[] input) throws Declined {
        try { // A decoder of its own reports what new String would replace.
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(input)).toString();
        } catch (CharacterCodingException e) {
            throw new Declined("the input is not UTF-8");
        }
    }

    public static void main(String[] args) throws Exception {
        boolean strict = args.length == 3 && args[1].equals("--reject");
        if (args.length != 1 && !strict) throw new IllegalArgumentException("usage: java Driver.java CLASS.METHOD [--reject NAMES]");
        serve(find(args[0]), strict ? Set.of(args[2].split(",")) : Set.of());
    }
}
