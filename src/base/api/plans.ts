/** What each plan may do. */
export type Plan = 'free' | 'pro' | 'enterprise'
export type Capability = 'static_export'

/** Previews that a project may have at a time; 0: the plan has none. */
export const PREVIEWS_OF_PLAN: Record<Plan, number> = { free: 0, pro: 25, enterprise: 100 }

export const PLANS: readonly Plan[] = ['free', 'pro', 'enterprise']

export const PLAN_CAPABILITIES: Record<Plan, Record<Capability, boolean>> = {
  free: { static_export: false },
  pro: { static_export: false },
  enterprise: { static_export: true },
}
