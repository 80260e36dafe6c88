/** `make('td.number', { title }, 'text', child)` */
export function make(what, properties = {}, ...children) {
  const [name, ...classes] = what.split('.')
  const element = document.createElement(name)
  if (classes.length > 0) element.className = classes.join(' ')
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value)
  element.append(...children)
  return element
}
