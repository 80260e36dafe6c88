import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'

// The footer of the theme is shown only on pages without the list of pages.
const licence = () => h('p', { class: 'licence' }, 'Licensed under Apache-2.0')

export default { extends: theme, Layout: () => h(theme.Layout, null, { 'doc-after': licence }) }
