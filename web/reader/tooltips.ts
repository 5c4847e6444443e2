/** Tooltips are opened by CSS; this script closes them on Escape and positions them within the window. */
import { findElements } from './dom.ts'

const MARGIN = 8

export function initTooltips(): void {
  for (const tip of findElements('.tooltip')) {
    const content = tip.querySelector<HTMLElement>('.tooltip-content')
    if (!content) continue
    const reposition = () => {
      delete tip.dataset.closed
      content.style.marginInlineStart = ''
      const box = content.getBoundingClientRect()
      const over = box.right - (document.documentElement.clientWidth - MARGIN)
      const shift = box.left < MARGIN ? MARGIN - box.left : over > 0 ? -over : 0
      const isRtl = document.documentElement.dir === 'rtl'
      if (shift !== 0) content.style.marginInlineStart = `${isRtl ? -shift : shift}px`
    }
    tip.addEventListener('pointerenter', reposition)
    tip.addEventListener('focusin', reposition)
    tip.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') tip.dataset.closed = ''
    })
  }
}
