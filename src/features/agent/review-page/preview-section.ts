/** The changed pages as readers see them, before and after. Works without a script; with one, for several pages. */
import type { PreviewedPage } from '../review/review-previews.ts'
import { html, type Markup, plainly, when } from './markup.ts'

export function previewSection(pages: readonly PreviewedPage[]): Markup {
  const [first] = pages
  if (first === undefined) return html``
  return html`<section id="preview" aria-labelledby="preview-title">
<div class="preview-bar">
<h2 id="preview-title">Preview</h2>
${pages.length === 1 ? html`<span class="path">${plainly(first.path)}</span>` : pagePicker(pages)}
<fieldset class="segments">
<legend class="visually-hidden">Show</legend>
<label><input type="radio" name="view" id="view-both" value="both" checked>Both</label>
<label><input type="radio" name="view" id="view-before" value="before">Before</label>
<label><input type="radio" name="view" id="view-after" value="after">After</label>
</fieldset>
</div>
<div class="previews">
${side('before', 'Before', first.before, first.path)}
${side('after', 'After', first.after, first.path)}
</div>
${when(pages.length > 1, () => withoutScript(pages))}
</section>`
}

/** The script shows it: without one, the pages are links. */
function pagePicker(pages: readonly PreviewedPage[]): Markup {
  return html`<label class="page-picker" hidden><span class="visually-hidden">Page</span><select id="preview-page">
${pages.map(
  ({ path, before, after }) =>
    html`<option value="${path}" data-before="${before}" data-after="${after}">${path}</option>`,
)}
</select></label>`
}

/** An iframe of its own origin, which may run the page's scripts and reach nothing of ours. */
function side(name: 'before' | 'after', title: string, address: string | null, path: string): Markup {
  return html`<figure class="${name}">
<figcaption>${title} <a class="open-preview" target="_blank" rel="noopener" href="${address}"${hidden(address === null)}>Open<span class="visually-hidden"> the page as it is ${name} the change</span></a></figcaption>
<iframe title="${title}: ${path}" sandbox="allow-scripts allow-popups" loading="lazy" referrerpolicy="no-referrer"${address === null ? html`` : html` src="${address}"`}${hidden(address === null)}></iframe>
<p class="no-page"${hidden(address !== null)}>${name === 'before' ? 'The page is new.' : 'The page is gone.'}</p>
</figure>`
}

function hidden(isHidden: boolean): Markup {
  return isHidden ? html` hidden` : html``
}

function withoutScript(pages: readonly PreviewedPage[]): Markup {
  const link = (address: string | null, word: string) =>
    address === null ? html`` : html`<a target="_blank" rel="noopener" href="${address}">${word}</a>`
  return html`<noscript><ul class="preview-links">
${pages.map(({ path, before, after }) => html`<li><span class="path">${plainly(path)}</span> ${link(before, 'Before')} ${link(after, 'After')}</li>`)}
</ul></noscript>`
}
