// What is called of URLSearchParams, whichever there is.
export const read = text => [...new URLSearchParams(text)]
export const write = pairs => String(new URLSearchParams(pairs))
