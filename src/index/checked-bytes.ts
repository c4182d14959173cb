/** A part of an image is not what was written. The owner of a view made of it makes another one from the store. */
export class ImageDamage extends Error {
  constructor() {
    super("An image of a view is damaged.");
  }
}
