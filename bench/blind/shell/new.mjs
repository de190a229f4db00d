import { quote } from 'shell-quote-new'

export default text => quote(text.split('\n'))
