export default function accept(data) { return ""; }
