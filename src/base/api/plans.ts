/** Limits of each plan. */
export type Plan = 'free' | 'pro' | 'enterprise'
export type Capability = 'static_export'

export const MAX_PREVIEWS_BY_PLAN: Record<Plan, number> = { free: 0, pro: 25, enterprise: 100 }

export const PLANS: readonly Plan[] = ['free', 'pro', 'enterprise']

export const PLAN_CAPABILITIES: Record<Plan, Record<Capability, boolean>> = {
  free: { static_export: false },
  pro: { static_export: false },
  enterprise: { static_export: true },
}
