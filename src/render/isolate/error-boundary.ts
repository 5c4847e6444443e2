/** Error boundary for a component or an expression. */
import type { ComponentChildren } from 'preact'
import { Component } from 'preact'

interface BoundaryProps {
  /** Called once, before the children are rendered. */
  before: () => void
  /** Returns the content to show if rendering the children has failed. */
  fallback: (error: unknown) => ComponentChildren
  children?: ComponentChildren
}

export class Boundary extends Component<BoundaryProps, { failed: { error: unknown } | null }> {
  override state: { failed: { error: unknown } | null } = { failed: null }

  static override getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  override render() {
    if (this.state.failed) return this.props.fallback(this.state.failed.error)
    this.props.before()
    return this.props.children
  }
}
