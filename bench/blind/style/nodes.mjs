// The tree of a style sheet, without the places and the spaces of its nodes.
export const parser = postcss => css => tree(postcss.parse(css))

const tree = ({ type, selector, name, params, prop, value, important, text, nodes }) =>
  ({ type, selector, name, params, prop, value, important, text, nodes: nodes?.map(tree) })
