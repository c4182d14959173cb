import { PalimpsestError } from "../../core/base/index.js";

export type Driver = typeof import("pg");

/** The driver is installed by whoever uses PostgreSQL, and loaded when a store there is first asked for something. */
export async function loadDriver(load: () => Promise<unknown> = () => import("pg")): Promise<Driver> {
  try {
    const module = (await load()) as { readonly default?: Driver } & Driver;
    return module.default ?? module;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new PalimpsestError("DRIVER_MISSING", "Stores in PostgreSQL need the package `pg`.", { cause });
  }
}
