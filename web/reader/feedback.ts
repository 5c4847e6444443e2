/**
 * Reader feedback: the vote with its form, and notes on code blocks. Entries go into a queue and from there to the
 * platform or, without a platform, into a file. Works for pages opened from disk.
 */
import type { PlatformFacts } from '../../src/base/api/widgets.ts'
import { announce, linkedFile, loadScript, make, one } from './dom.ts'
import { codeFeedback } from './feedback-code.ts'
import { saveFeedback, unsavedCount } from './feedback-file.ts'
import { labelsOf } from './feedback-labels.ts'
import { pageFeedback } from './feedback-page.ts'
import { openQueue, type Said } from './feedback-queue.ts'
import { createSender } from './feedback-sender.ts'
import { onceTakenIn } from './taken-in.ts'

const toolbar = one('.feedback-toolbar[data-labels]')
const platformFile = linkedFile('platform')
if (toolbar && platformFile) onceTakenIn(() => start(toolbar, platformFile))

function start(toolbar: HTMLElement, platformFile: string): void {
  const labels = labelsOf(toolbar)
  const site = platformFile.replace(/_octavo\/platform\.js$/, '')
  const path = encodePath(document.documentElement.dataset.currentPath ?? '/')
  /** Pages opened from disk cannot reach a platform. */
  const isKeeping = toolbar.dataset.keep !== undefined || location.protocol === 'file:'
  const queue = openQueue(site)

  const known = () => (globalThis as { __octavoPlatform?: PlatformFacts }).__octavoPlatform ?? null
  const load = () => loadScript(platformFile).then(known, () => null as PlatformFacts | null)
  const sender = isKeeping ? null : createSender(queue, { load, known })

  const say = (body: Said, options?: { holdMs?: number }) => {
    if (queue.put(body, isKeeping ? {} : options)) announce(labels.dropped)
    showSave()
    void load().then((platform) => {
      if (platform) queue.stamp(body.id, platform.revision)
      sender?.flush()
    })
  }
  const withdraw = (id: string) => {
    if (isKeeping) queue.forget(id)
    else queue.withdraw(id)
    showSave()
    sender?.flush()
  }

  /** Button to save a file, shown while there are unsaved entries. */
  const save = make('button', { type: 'button', class: 'feedback-action feedback-save' })
  save.addEventListener('click', () => {
    void load().then((platform) => {
      if (platform) saveFeedback(queue, platform.siteId)
      showSave()
    })
  })
  const showSave = () => {
    if (!isKeeping) return
    const count = unsavedCount(queue)
    save.textContent = `${labels.save} (${count})`
    if (count === 0) save.remove()
    else if (!save.isConnected) saveBar().append(save)
  }
  const saveBar = () => {
    const bar = one('.feedback-bar', toolbar) ?? make('div', { class: 'feedback-bar' })
    const links = one('.feedback-links', bar) ?? make('div', { class: 'feedback-links' })
    bar.append(links)
    toolbar.prepend(bar)
    return links
  }

  const keptNote = () => (isKeeping ? [make('span', {}, labels.kept)] : [])
  pageFeedback(toolbar, { labels, site, path, say, withdraw, keptNote })
  if (toolbar.dataset.code !== undefined) codeFeedback(labels, path, say)
  showSave()
  // Another tab, or the page just left, may have added entries.
  if (isKeeping) addEventListener('storage', showSave)
  if (queue.read().entries.length > 0) sender?.flush()
}

/** Encodes a path, because names may contain `%` or `?`. */
function encodePath(route: string): string {
  return route.split('/').map(encodeURIComponent).join('/')
}
