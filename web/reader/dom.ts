export function findElements<E extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): E[] {
  return [...root.querySelectorAll<E>(selector)]
}

export function findElement<E extends Element = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): E | null {
  return root.querySelector<E>(selector)
}

/** Adds a click listener for all current and future elements that match. */
export function delegateClick(
  selector: string,
  handler: (element: HTMLElement, event: MouseEvent) => void,
): void {
  document.addEventListener('click', (event) => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null
    if (element) handler(element, event)
  })
}

export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Keeps the focus inside a panel that covers the page. */
export function loopFocus(panel: HTMLElement, isOpen: () => boolean): void {
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || !isOpen()) return
    const stops = findElements<HTMLElement>('a[href], summary, button, input', panel).filter(
      (stop) => stop.offsetParent !== null,
    )
    const edge = event.shiftKey ? stops[0] : stops.at(-1)
    if (document.activeElement !== edge) return
    event.preventDefault()
    ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
  })
}

/** Returns the component texts in the language of the page; empty for English. */
export function readUiStrings(): Record<string, string> {
  return JSON.parse(findElement('#content-area')?.dataset.words ?? '{}') as Record<string, string>
}

export function announce(text: string): void {
  let liveRegion = findElement('#octavo-status')
  if (!liveRegion) {
    liveRegion = createElement('div', { id: 'octavo-status', role: 'status', class: 'visually-hidden' })
    document.body.append(liveRegion)
  }
  liveRegion.textContent = text
}

/** Returns the absolute URL of a `<link rel="octavo-…">` in the head; null when the page has none. */
export function linkedFile(name: string): string | null {
  return findElement<HTMLLinkElement>(`link[rel="octavo-${name}"]`)?.href ?? null
}

const loaded = new Map<string, Promise<void>>()

/** Loads a classic script once. */
export function loadScript(src: string): Promise<void> {
  const pendingLoad = loaded.get(src)
  if (pendingLoad) return pendingLoad
  const promise = new Promise<void>((resolve, reject) => {
    const script = createElement('script', { src })
    script.onload = () => resolve()
    script.onerror = () => {
      loaded.delete(src)
      script.remove()
      reject(new Error(`could not load ${src}`))
    }
    document.head.append(script)
  })
  loaded.set(src, promise)
  return promise
}

/** Loads a style sheet; content that depends on it is shown only afterwards. */
export function loadStyle(href: string): Promise<void> {
  if (findElement(`link[rel="stylesheet"][href="${CSS.escape(href)}"]`)) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = createElement('link', { rel: 'stylesheet', href })
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(`could not load ${href}`))
    }
    document.head.append(link)
  })
}
