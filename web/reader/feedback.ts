/**
 * Reader feedback: the vote with its form, and notes on code blocks. Entries go into a queue and from there to the
 * platform or, without a platform, into a file. Works for pages opened from disk.
 */
import type { PlatformFacts } from '../../src/base/api/widgets.ts'
import { announce, createElement, findElement, linkedFile, loadScript } from './dom.ts'
import { initCodeFeedback } from './feedback-code.ts'
import { saveFeedback, unsavedCount } from './feedback-file.ts'
import { readLabels } from './feedback-labels.ts'
import { initPageFeedback } from './feedback-page.ts'
import { type FeedbackBody, openQueue } from './feedback-queue.ts'
import { createSender } from './feedback-sender.ts'
import { whenStorageIsReady } from './storage-ready.ts'

const toolbar = findElement('.feedback-toolbar[data-labels]')
const platformFile = linkedFile('platform')
if (toolbar && platformFile) whenStorageIsReady(() => start(toolbar, platformFile))

function start(toolbar: HTMLElement, platformFile: string): void {
  const labels = readLabels(toolbar)
  const site = platformFile.replace(/_octavo\/platform\.js$/, '')
  const path = encodePath(document.documentElement.dataset.currentPath ?? '/')
  /** Pages opened from disk cannot reach a platform. */
  const isStoredLocally = toolbar.dataset.keep !== undefined || location.protocol === 'file:'
  const queue = openQueue(site)

  const readPlatformFacts = () =>
    (globalThis as { __octavoPlatform?: PlatformFacts }).__octavoPlatform ?? null
  const load = () => loadScript(platformFile).then(readPlatformFacts, () => null as PlatformFacts | null)
  const sender = isStoredLocally ? null : createSender(queue, { load, known: readPlatformFacts })

  const queueFeedback = (body: FeedbackBody, options?: { holdMs?: number }) => {
    if (queue.put(body, isStoredLocally ? {} : options)) announce(labels.dropped)
    showSave()
    void load().then((platform) => {
      if (platform) queue.stamp(body.id, platform.revision)
      sender?.flush()
    })
  }
  const withdraw = (id: string) => {
    if (isStoredLocally) queue.forget(id)
    else queue.withdraw(id)
    showSave()
    sender?.flush()
  }

  const save = createElement('button', { type: 'button', class: 'feedback-action feedback-save' })
  save.addEventListener('click', () => {
    void load().then((platform) => {
      if (platform) saveFeedback(queue, platform.siteId)
      showSave()
    })
  })
  const showSave = () => {
    if (!isStoredLocally) return
    const count = unsavedCount(queue)
    save.textContent = `${labels.save} (${count})`
    if (count === 0) save.remove()
    else if (!save.isConnected) saveBar().append(save)
  }
  const saveBar = () => {
    const bar = findElement('.feedback-bar', toolbar) ?? createElement('div', { class: 'feedback-bar' })
    const links = findElement('.feedback-links', bar) ?? createElement('div', { class: 'feedback-links' })
    bar.append(links)
    toolbar.prepend(bar)
    return links
  }

  initPageFeedback(toolbar, {
    labels,
    site,
    path,
    submitFeedback: queueFeedback,
    withdraw,
    storageNote: () => (isStoredLocally ? [createElement('span', {}, labels.stored)] : []),
  })
  if (toolbar.dataset.code !== undefined) initCodeFeedback(labels, path, queueFeedback)
  showSave()
  // Another tab, or the page just left, may have added entries.
  if (isStoredLocally) addEventListener('storage', showSave)
  if (queue.read().entries.length > 0) sender?.flush()
}

/** Encodes a path, because names may contain `%` or `?`. */
function encodePath(route: string): string {
  return route.split('/').map(encodeURIComponent).join('/')
}
