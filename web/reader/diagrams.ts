/** Diagrams are drawn when they come into sight, and again when the colours change. Until then their source is shown. */
import { all, linkedFile, loadScript } from './dom.ts'

interface Mermaid {
  initialize(config: object): void
  render(id: string, text: string): Promise<{ svg: string }>
}

export function diagrams(): void {
  const src = linkedFile('mermaid')
  const boxes = all('.mermaid')
  if (!src || boxes.length === 0) return
  const seen = new Set<HTMLElement>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue
        observer.unobserve(entry.target)
        seen.add(entry.target as HTMLElement)
        void draw(src, entry.target as HTMLElement)
      }
    },
    { rootMargin: '400px' },
  )
  for (const box of boxes) observer.observe(box)
  new MutationObserver(() => {
    for (const box of seen) void draw(src, box)
  }).observe(document.documentElement, { attributeFilter: ['class'] })
}

let count = 0
/** One at a time: the library keeps its settings in one place. */
let queue: Promise<void> = Promise.resolve()

function draw(src: string, box: HTMLElement): Promise<void> {
  queue = queue.then(async () => {
    try {
      await loadScript(src)
      const { mermaid } = globalThis as unknown as { mermaid: Mermaid }
      const isDark = document.documentElement.classList.contains('dark')
      const style = getComputedStyle(document.body)
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: isDark ? 'dark' : 'neutral',
        fontFamily: style.fontFamily,
        suppressErrorRendering: true,
      })
      const text = box.querySelector('.mermaid-source')?.textContent ?? ''
      const { svg } = await mermaid.render(`octavo-diagram-${count++}`, text)
      const holder = document.createElement('div')
      holder.innerHTML = svg
      const drawn = holder.firstElementChild
      if (!drawn) return
      box.querySelector(':scope > svg')?.remove()
      box.append(drawn)
      box.dataset.drawn = ''
    } catch {
      // what cannot be drawn stays readable as its source
    }
  })
  return queue
}
