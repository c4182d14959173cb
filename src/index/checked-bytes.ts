/** A part of an image is not what was written. Whoever holds a view made of it makes another one from the store. */
export class ImageDamage extends Error {
  constructor() {
    super("An image of a view is damaged.");
  }
}
