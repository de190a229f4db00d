import { quote } from 'shell-quote-old'

export default text => quote(text.split('\n'))
