;; Dot products of one vector of bytes with many, 16 bytes at a time. The question stands at address 0; the vectors stand
;; one after another; `dimensions` is a multiple of 16. Sums are exact: 127 * 127 * dimensions stays far below 2^31.
(module
  (memory (export "memory") 1)
  (func (export "dots") (param $vectors i32) (param $count i32) (param $dimensions i32) (param $out i32)
    (local $sum v128)
    (local $i i32)
    (local $a v128)
    (local $b v128)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $vector
      (local.set $sum (v128.const i64x2 0 0))
      (local.set $i (i32.const 0))
      (loop $component
        (local.set $a (v128.load (i32.add (local.get $vectors) (local.get $i))))
        (local.set $b (v128.load (local.get $i)))
        (local.set $sum
          (i32x4.add
            (local.get $sum)
            (i32x4.add
              (i32x4.dot_i16x8_s
                (i16x8.extend_low_i8x16_s (local.get $a))
                (i16x8.extend_low_i8x16_s (local.get $b)))
              (i32x4.dot_i16x8_s
                (i16x8.extend_high_i8x16_s (local.get $a))
                (i16x8.extend_high_i8x16_s (local.get $b))))))
        (local.set $i (i32.add (local.get $i) (i32.const 16)))
        (br_if $component (i32.lt_u (local.get $i) (local.get $dimensions))))
      (i32.store
        (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $vectors (i32.add (local.get $vectors) (local.get $dimensions)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $vector (local.get $count)))))
